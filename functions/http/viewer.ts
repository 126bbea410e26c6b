import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * The IP address of the viewer. CloudFront appends it to the header, and the gateway then appends the address of
 * CloudFront, which is `sourceIp`. The viewer may have made up everything before these.
 */
export function viewerOf({ headers, requestContext: { http } }: APIGatewayProxyEventV2): string {
  const forwarded = headers['x-forwarded-for'] ?? '';
  const addresses = forwarded.split(',').map(address => address.trim());
  if (addresses.at(-1) === http.sourceIp) addresses.pop();
  return addresses.at(-1) || http.sourceIp;
}

/** The network of an address, as providers give them to a customer: /24 of IPv4, /48 of IPv6. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip.split('.').slice(0, 3).join('.');
  // `::` stands for as many groups of zero as are missing.
  const [before = [], after = []] = ip.split('::').map(part => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 3);
  return groups.map(group => Number.parseInt(group, 16).toString(16)).join(':');
}
