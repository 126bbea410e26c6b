const WEB = ['http:', 'https:'];
const LINKED = [...WEB, 'mailto:', 'tel:'];

/** An address that a link may lead to, as browsers read it; undefined for scripts, data and those with a password. */
function addressIn(text: string, protocols: string[]): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  if (!protocols.includes(protocol) || username || password) return undefined;
  return href.replace(/%(?![0-9a-f]{2})/gi, '%25');
}

/** Where a button may lead, and where a link may. */
export const webAddress = (text: string) => addressIn(text, WEB);
export const linkedAddress = (text: string) => addressIn(text, LINKED);
