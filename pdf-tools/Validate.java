import java.io.FileInputStream;
import java.util.Arrays;
import java.util.List;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** Holds files to profiles of veraPDF. Arguments: profiles (2u, 2a, ua1) with commas between them, a path, and so on. Prints a line per file and profile, and every rule that it breaks. */
public final class Validate {
  public static void main(String[] arguments) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    boolean isBroken = false;
    for (int at = 0; at + 1 < arguments.length; at += 2) {
      List<PDFAFlavour> flavours = Arrays.stream(arguments[at].split(",")).map(PDFAFlavour::fromString).toList();
      try (var foundry = Foundries.defaultInstance();
          var file = new FileInputStream(arguments[at + 1]);
          var parser = foundry.createParser(file, flavours.get(0));
          var validator = foundry.createValidator(flavours, 1, false, false, false)) {
        for (var result : validator.validateAll(parser)) {
          isBroken |= !result.isCompliant();
          System.out.println((result.isCompliant() ? "passes " : "FAILS ") + result.getPDFAFlavour().getId() + " " + arguments[at + 1]);
          for (TestAssertion broken : result.getTestAssertions())
            if (broken.getStatus() == TestAssertion.Status.FAILED)
              System.out.println("  " + broken.getRuleId().getClause() + "-" + broken.getRuleId().getTestNumber()
                  + ": " + broken.getMessage() + " at " + broken.getLocation().getContext());
        }
      }
    }
    System.exit(isBroken ? 1 : 0);
  }
}
