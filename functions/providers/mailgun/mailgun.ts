import type { Access, KeyedProvider, OutgoingEmail, Verdict } from '#core/provider.ts';
import { NotConnected, POST_TIMEOUT } from '../connection.ts';
import { type Answer, notSent, postInGroups } from '../groups.ts';
import { type Syntax, WORD_JOINER, writeOnce } from '../write-once.ts';
import { readSignedEvent } from './events.ts';
import { type Request, type Response, request } from './request.ts';

// https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/batch-sending
const MOST_RECIPIENTS = 1_000;

/** Without a library: the product posts forms to one address of it. */
export const createMailgun = (request: Request): KeyedProvider => ({
  most: MOST_RECIPIENTS,
  post: (access, emails, mayContinue) =>
    postInGroups(emails, {
      most: MOST_RECIPIENTS,
      message: messageOf,
      fits: fitsOneRequest,
      post: message => answerTo(request, access, message, mayContinue),
    }),
  probe: access => probe(request, access),
  readEvent: readSignedEvent,
});

export const mailgun = createMailgun(request);

/** What the emails share is written once, what differs is a variable. */
type Message = {
  from: string;
  to: string[];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  send: string | undefined;
  /** For each recipient the values of the variables. */
  variables: Record<string, Record<string, string>>;
};

// Mailgun replaces these wherever they stand. They are rare, so those in our texts are taken apart.
const VARIABLE = /%(?=recipient|unsubscribe|mailing_list|tag_unsubscribe)/gi;

/** https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/batch-sending */
const SYNTAX: Syntax = {
  variable: name => `%recipient.${name}%`,
  inHtml: text => text.replace(VARIABLE, '&#37;'),
  inLine: text => text.replace(VARIABLE, `%${WORD_JOINER}`),
};

export function messageOf(emails: OutgoingEmail[]): Message {
  const { subject, html, text, column, values } = writeOnce(emails, SYNTAX);
  const [first] = emails as [OutgoingEmail];
  const headers = Object.fromEntries(
    Object.keys(first.headers).map(name => [name, column(emails.map(email => email.headers[name] ?? ''))]),
  );
  const send = first.id === undefined ? undefined : column(emails.map(({ id = '' }) => id));
  const variables = values();
  return {
    from: first.from,
    to: emails.map(({ to }) => to),
    subject,
    html,
    text,
    headers,
    send,
    variables: Object.fromEntries(emails.map(({ to }, at) => [to, variables[at] ?? {}])),
  };
}

/** But for what separates its fields. */
export function bytesOf({ from, to, subject, html, text, headers, send = '', variables }: Message): number {
  const shared = [from, ...to, subject, html, text, send, ...Object.entries(headers).flat()];
  return [...shared, JSON.stringify(variables)].reduce(
    (sum, field) => sum + Buffer.byteLength(field) + 100,
    0,
  );
}

/** Mailgun takes 25 MB. */
const MOST_BYTES = 24_000_000;
const RETRY_AFTER_SECONDS = 30;
/** No answer pauses a list for longer. */
const MOST_RETRY_AFTER_SECONDS = 60 * 60;
// Those of all requests for a batch are in its head, which must be written: it says that the emails were sent.
const LONGEST_ID = 300;

/** The variables are by address, so each may be there once. */
const fitsOneRequest = (message: Message, emails: OutgoingEmail[]) =>
  new Set(message.to).size === emails.length && bytesOf(message) <= MOST_BYTES;

async function answerTo(
  request: Request,
  access: Access,
  message: Message,
  mayContinue: () => Promise<boolean>,
): Promise<Answer> {
  const form = formOf(message, access);
  if (!(await mayContinue())) return notSent('interrupted');
  try {
    return meaningOf(await request(access, form, POST_TIMEOUT));
  } catch (error) {
    return error instanceof NotConnected ? notSent('unreachable') : { kind: 'unknown' };
  }
}

/** As multipart, in which texts are not encoded: percent signs would make a batch half as large again. */
function formOf(
  { from, to, subject, html, text, headers, send, variables }: Message,
  { testMode }: Access,
): FormData {
  const form = new FormData();
  const fields = {
    from,
    subject,
    html,
    text,
    'o:tracking': 'no',
    ...(testMode && { 'o:testmode': 'yes' }),
    ...(send !== undefined && { 'v:send': send }),
    'recipient-variables': JSON.stringify(variables),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`h:${name}`, value])),
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const address of to) form.append('to', address);
  return form;
}

function meaningOf(response: Response): Answer {
  const { status, body } = response;
  const id = (body as { id?: unknown } | undefined | null)?.id;
  if (status >= 200 && status < 300)
    return id ? { kind: 'accepted', provider_id: String(id).slice(0, LONGEST_ID) } : { kind: 'unknown' };
  if (status === 401 || status === 403 || status === 404) return notSent('denied');
  if (status === 429) return notSent('throttled', secondsToWait(response));
  const isJson = body !== undefined && body !== null;
  if (status >= 400 && status < 500 && isJson) return { kind: status === 400 ? 'invalid' : 'refused' };
  return { kind: 'unknown' };
}

// https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3: seconds, or a date, which is one of the provider's clock.
function secondsToWait({ retryAfter, date }: Response): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  const wanted = Number.isNaN(seconds) ? (instantIn(retryAfter) - instantIn(date)) / 1000 : seconds;
  const isUsable = Number.isFinite(wanted) && wanted > 0;
  return isUsable ? Math.min(Math.ceil(wanted), MOST_RETRY_AFTER_SECONDS) : RETRY_AFTER_SECONDS;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

const instantIn = (date: string | null | undefined): number =>
  HTTP_DATE.test(date ?? '') ? Date.parse(date ?? '') : Number.NaN;

// Less than our own caller waits.
const PROBE_TIMEOUT = 5_000;

// A sending key can do nothing but post messages; Mailgun checks the key before it misses the recipient.
const VERDICTS: Record<number, Verdict> = {
  400: { valid: true, message: 'Mailgun accepts this sending key for the domain.' },
  401: { valid: false, message: 'Mailgun does not accept this sending key. Check the key and the region.' },
  403: { valid: false, message: 'Mailgun does not let this sending key send for the domain.' },
  404: { valid: false, message: 'Mailgun does not know this domain. Check the domain and the region.' },
};

const NO_VERDICT: Verdict = {
  valid: undefined,
  message: 'Mailgun could not be reached or gave no clear answer. Please try again later.',
};

/** Posts a message without a recipient, which cannot be sent. */
async function probe(request: Request, access: Access): Promise<Verdict> {
  const form = new FormData();
  form.append('from', `connection-test@${access.domain}`);
  form.append('subject', 'Connection test');
  form.append('text', 'This message has no recipient.');
  try {
    const { status } = await request(access, form, PROBE_TIMEOUT);
    return VERDICTS[status] ?? NO_VERDICT;
  } catch {
    return NO_VERDICT;
  }
}
