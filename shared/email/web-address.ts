const WEB = ['http:', 'https:'];
const LINKED = [...WEB, 'mailto:', 'tel:'];

/** Undefined for other protocols, such as scripts and data, and for addresses with a password. */
function addressIn(text: string, protocols: string[]): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  if (!protocols.includes(protocol) || username || password) return undefined;
  return href.replace(/%(?![0-9a-f]{2})/gi, '%25');
}

export const webAddress = (text: string) => addressIn(text, WEB);
export const linkedAddress = (text: string) => addressIn(text, LINKED);

/** The path of an uploaded file, whose first number is the organization. */
export const OWN_FILE = /^\/files\/(\d{1,15})\/[\w-]{1,100}\.\w{1,5}$/;
