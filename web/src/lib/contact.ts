import { PRODUCT } from '../../../shared/brand.ts';

/** Where people ask for access: an address of the domain of the stage. `web/public/handover.js` has the same for the public home page. */
export function contactLink(hostname: string): string {
  // The local stack is reached by a number, of which no mailbox can be.
  const domain = /^[\d.]+$/.test(hostname) ? 'localhost' : hostname;
  return `mailto:access@${domain}?subject=${encodeURIComponent(`Access to ${PRODUCT}`)}`;
}
