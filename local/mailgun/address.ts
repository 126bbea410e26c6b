export type Address = {
  /** As it was posted, with or without a name. */
  spec: string;
  email: string;
};

const ATOM = '[^\\s@<>()[\\],;:"\\\\.]+';
const LOCAL = `(?:${ATOM}(?:\\.${ATOM})*|"[^"\\r\\n]*")`;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?';
const EMAIL = new RegExp(`^${LOCAL}@(?:${LABEL}\\.)+${LABEL}$`, 'u');
const NAMED = /<([^<>]*)>$/;
const LISTED = /(?:"(?:[^"\\]|\\.)*"|<[^>]*>|[^,])+/g;
// https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1
const LONGEST = { email: 254, local: 64 };

/** The addresses in a field, which may be repeated and may hold several; undefined if one of them is not valid. */
export function readAddresses(fields: string[]): Address[] | undefined {
  const addresses = fields.flatMap(field => field.match(LISTED) ?? []).map(readAddress);
  return addresses.every(address => address !== undefined) ? addresses : undefined;
}

function readAddress(text: string): Address | undefined {
  const spec = text.trim();
  const [, email = spec] = NAMED.exec(spec) ?? [];
  const local = email.slice(0, email.lastIndexOf('@'));
  if (!EMAIL.test(email) || email.length > LONGEST.email || local.length > LONGEST.local) return undefined;
  return { spec, email };
}
