import java.io.FileInputStream;
import java.util.Arrays;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** Holds files to profiles of veraPDF. Arguments: a profile's id (2u, 2a, ua1), a path, and so on. Prints a line a file and every rule that it breaks. */
public final class Validate {
  public static void main(String[] arguments) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    boolean isBroken = false;
    for (int at = 0; at + 1 < arguments.length; at += 2) {
      PDFAFlavour flavour = PDFAFlavour.fromString(arguments[at]);
      try (var foundry = Foundries.defaultInstance();
          var file = new FileInputStream(arguments[at + 1]);
          var parser = foundry.createParser(file, flavour);
          var validator = foundry.createValidator(flavour, 1, false, false, false)) {
        var result = validator.validate(parser);
        isBroken |= !result.isCompliant();
        System.out.println((result.isCompliant() ? "passes " : "FAILS ") + arguments[at] + " " + arguments[at + 1]);
        for (TestAssertion broken : result.getTestAssertions())
          if (broken.getStatus() == TestAssertion.Status.FAILED)
            System.out.println("  " + broken.getRuleId().getClause() + "-" + broken.getRuleId().getTestNumber()
                + ": " + broken.getMessage() + " at " + broken.getLocation().getContext());
      }
    }
    System.exit(isBroken ? 1 : 0);
  }
}
