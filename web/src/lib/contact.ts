import { PRODUCT } from '#shared/brand.ts';

/**
 * The address for requesting access, at the domain of the stage. `web/public/handover.js` has the same rule for the public
 * home page.
 */
export function contactLink(hostname: string): string {
  // The local stack has an IP address as its host, at which there can be no mailbox.
  const domain = /^[\d.]+$/.test(hostname) ? 'localhost' : hostname;
  return `mailto:access@${domain}?subject=${encodeURIComponent(`Access to ${PRODUCT}`)}`;
}
