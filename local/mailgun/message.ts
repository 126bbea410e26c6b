import { type Address, readAddresses } from './address.ts';

/** A message as it was posted: to one, or to many of whom each gets their own. */
export type Post = {
  id: string;
  domain: string;
  at: string;
  from: string;
  to: Address[];
  cc: Address[];
  bcc: Address[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  /** What the sender wants to hear again with each event. */
  userVariables: Record<string, string>;
  /** By address. With them everyone in `to` gets a message of their own, without them all get the same. */
  recipientVariables: Record<string, Record<string, string>> | undefined;
  testMode: boolean;
};

export type Posted = Omit<Post, 'id' | 'domain' | 'at'>;
type Fields = Map<string, string[]>;

const ADDRESSES = ['from', 'to', 'cc', 'bcc'] as const;
const REQUIRED: string[] = ['from', 'to'];
const MOST_RECIPIENTS = 1000;
const MOST_OPTION_BYTES = 16 * 1024;
const INVALID_VARIABLES = "'recipient-variables' parameter is not a valid JSON";

/** What a form says, or what is wrong with it, in the order in which Mailgun looks. */
export function readMessage(form: FormData): Posted | { refused: string } {
  const fields = textsOf(form);
  const all = (name: string) => fields.get(name) ?? [];
  const first = (name: string) => all(name)[0] ?? '';

  const addresses: Record<(typeof ADDRESSES)[number], Address[]> = { from: [], to: [], cc: [], bcc: [] };
  for (const name of ADDRESSES) {
    const read = readAddresses(all(name));
    if (!read) return { refused: `'${name}' parameter is not a valid address. please check documentation` };
    if (read.length === 0 && REQUIRED.includes(name)) return { refused: `'${name}' parameter is missing` };
    addresses[name] = read;
  }
  const { to, cc, bcc } = addresses;
  if (to.length + cc.length + bcc.length > MOST_RECIPIENTS)
    return { refused: `Too many recipients; max is ${MOST_RECIPIENTS}` };
  if (!['text', 'html', 'amp-html'].some(first))
    return { refused: "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified" };
  if (optionBytes(fields) > MOST_OPTION_BYTES)
    return { refused: 'Send options (parameters starting with o:, h:, or v:) are limited to 16 kB total' };
  const headers = prefixed(fields, 'h:');
  const odd = Object.keys(headers).find(name => !/^[!-9;-~]+$/.test(name));
  if (odd !== undefined) return { refused: `Header name must be pure ASCII: ${odd}` };
  const recipientVariables = fields.has('recipient-variables')
    ? readVariables(first('recipient-variables'))
    : undefined;
  if (recipientVariables === null) return { refused: INVALID_VARIABLES };

  return {
    from: first('from').trim(),
    to,
    cc,
    bcc,
    subject: first('subject'),
    text: first('text'),
    html: first('html'),
    headers,
    userVariables: prefixed(fields, 'v:'),
    recipientVariables,
    testMode: /^(yes|true)$/i.test(first('o:testmode')),
  };
}

function textsOf(form: FormData): Fields {
  const fields: Fields = new Map();
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

const prefixed = (fields: Fields, prefix: string): Record<string, string> =>
  Object.fromEntries(
    [...fields]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, values]) => [name.slice(prefix.length), values.at(-1) ?? '']),
  );

const optionBytes = (fields: Fields) =>
  [...fields]
    .filter(([name]) => /^[ohvt]:/.test(name))
    .flatMap(([name, values]) => values.map(value => Buffer.byteLength(name) + Buffer.byteLength(value)))
    .reduce((sum, bytes) => sum + bytes, 0);

/** A dictionary of dictionaries; null where it is none. */
function readVariables(json: string): Record<string, Record<string, string>> | null {
  try {
    const byAddress: unknown = JSON.parse(json);
    if (!isDictionary(byAddress)) return null;
    const entries = Object.entries(byAddress);
    if (!entries.every((entry): entry is [string, Record<string, unknown>] => isDictionary(entry[1])))
      return null;
    return Object.fromEntries(entries.map(([address, values]) => [address, mapValues(values, textOf)]));
  } catch {
    return null;
  }
}

const isDictionary = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

export const mapValues = <From, To>(
  values: Record<string, From>,
  map: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
