import ipaddr from "ipaddr.js";

/**
 * Address ranges that look public, but that clouds route to their own services, which trust every client. Most clouds use addresses that are
 * never public, such as 169.254.169.254, 100.100.100.200 and fd00:ec2::254.
 */
export const cloudServiceRanges = [
  // Azure's host agent, which serves the certificates and the configuration of the virtual machine.
  "168.63.129.16/32",
  // IBM Cloud's service network, which has infrastructure services and private endpoints.
  "161.26.0.0/16",
  "166.8.0.0/14",
].map((range) => ipaddr.parseCIDR(range));
