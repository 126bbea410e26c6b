import { isObject, parseJson } from '../parse.ts';
import { type Address, readAddresses } from './address.ts';

/** A posted message: one for all recipients, or a batch in which each recipient has variables. */
export type Post = {
  id: string;
  domain: string;
  at: string;
  from: string;
  to: Address[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  /** The `v:` fields, which are part of each event about the message. */
  userVariables: Record<string, string>;
  /** By address. If there are any, the message is a batch. */
  recipientVariables: Record<string, Record<string, string>> | undefined;
  testMode: boolean;
};

export type Posted = Omit<Post, 'id' | 'domain' | 'at'>;
type Fields = Map<string, string[]>;

const ADDRESSES = ['from', 'to'] as const;
const MOST_RECIPIENTS = 1000;
const MOST_OPTION_BYTES = 16 * 1024;
const KNOWN = /^(from|to|subject|text|html|recipient-variables|[hov]:.+)$/;

/** The message in a form, or why Mailgun refuses it. The fields are checked in Mailgun's order. */
export function readMessage(form: FormData): Posted | { refused: string } {
  const fields = fieldsOf(form);
  const all = (name: string) => fields.get(name) ?? [];
  const first = (name: string) => all(name)[0] ?? '';

  const unknown = [...fields.keys()].find(name => !KNOWN.test(name));
  if (unknown !== undefined) return { refused: `The local stack does not know the field ${unknown}` };
  const addresses: Record<(typeof ADDRESSES)[number], Address[]> = { from: [], to: [] };
  for (const name of ADDRESSES) {
    const read = readAddresses(all(name));
    if (!read) return { refused: `'${name}' parameter is not a valid address. please check documentation` };
    if (read.length === 0) return { refused: `'${name}' parameter is missing` };
    addresses[name] = read;
  }
  const { to } = addresses;
  if (to.length > MOST_RECIPIENTS) return { refused: `Too many recipients; max is ${MOST_RECIPIENTS}` };
  if (!first('text') && !first('html'))
    return { refused: "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified" };
  if (optionBytes(fields) > MOST_OPTION_BYTES)
    return { refused: 'Send options (parameters starting with o:, h:, or v:) are limited to 16 kB total' };
  const headers = prefixed(fields, 'h:');
  const invalid = Object.keys(headers).find(name => !/^[!-9;-~]+$/.test(name));
  if (invalid !== undefined) return { refused: `Header name must be pure ASCII: ${invalid}` };
  const recipientVariables = fields.has('recipient-variables')
    ? readVariables(first('recipient-variables'))
    : undefined;
  if (recipientVariables === null) return { refused: "'recipient-variables' parameter is not a valid JSON" };

  return {
    from: first('from').trim(),
    to,
    subject: first('subject'),
    text: first('text'),
    html: first('html'),
    headers,
    userVariables: prefixed(fields, 'v:'),
    recipientVariables,
    testMode: /^(yes|true)$/i.test(first('o:testmode')),
  };
}

function fieldsOf(form: FormData): Fields {
  const fields: Fields = new Map();
  for (const [name, value] of form) fields.set(name, [...(fields.get(name) ?? []), formText(value)]);
  return fields;
}

/** A form changes all line ends to CRLF. */
const formText = (value: unknown) => String(value).replaceAll('\r\n', '\n');

const prefixed = (fields: Fields, prefix: string): Record<string, string> =>
  Object.fromEntries(
    [...fields]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, values]) => [name.slice(prefix.length), values.at(-1) ?? '']),
  );

const optionBytes = (fields: Fields) =>
  [...fields]
    .filter(([name]) => /^[ohv]:/.test(name))
    .flatMap(([name, values]) => values.map(value => Buffer.byteLength(name) + Buffer.byteLength(value)))
    .reduce((sum, bytes) => sum + bytes, 0);

/** A dictionary of dictionaries; null if the JSON is anything else. */
function readVariables(json: string): Record<string, Record<string, string>> | null {
  const byAddress = parseJson(json);
  if (!isObject(byAddress) || !Object.values(byAddress).every(isObject)) return null;
  return mapValues(byAddress as Record<string, Record<string, unknown>>, values => mapValues(values, textOf));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

export const mapValues = <From, To>(
  values: Record<string, From>,
  map: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
