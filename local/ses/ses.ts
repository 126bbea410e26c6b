import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { parseInput, Refused } from '../aws-json.ts';
import { limitOf, transaction } from '../database.ts';
import { json } from '../gateway/response.ts';
import type { Message } from '../inbox/message.ts';

export type Ses = ReturnType<typeof createSes>;

type Call = { method: string; path: string; body: Buffer };

// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
const required = z.string().check(z.minLength(1));
const Content = z.strictObject({ Data: required, Charset: z.optional(z.string()) });
const SendEmail = z.strictObject({
  FromEmailAddress: required,
  Destination: z.strictObject({ ToAddresses: z.array(required).check(z.minLength(1), z.maxLength(50)) }),
  Content: z.strictObject({
    Simple: z.strictObject({
      Subject: Content,
      Body: z
        .strictObject({ Text: z.optional(Content), Html: z.optional(Content) })
        .check(z.refine(({ Text, Html }) => Text || Html, 'Text or Html is required')),
      Headers: z._default(z.array(z.strictObject({ Name: required, Value: required })), []),
    }),
  }),
});

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ses_messages (
    id INTEGER PRIMARY KEY,
    recipient TEXT NOT NULL,
    message TEXT NOT NULL
  )`;

/** The SendEmail operation of the SES API. Accepted emails go to the inbox: no email leaves this machine. */
export function createSes(database: DatabaseSync, now: () => number) {
  database.exec(SCHEMA);
  const insert = database.prepare('INSERT INTO ses_messages (recipient, message) VALUES (?, ?)');
  const select = database.prepare(
    'SELECT message FROM ses_messages WHERE :to IS NULL OR recipient = :to ORDER BY id DESC LIMIT :limit',
  );

  function send(input: unknown): { MessageId: string } {
    const MessageId = randomUUID();
    const messages = messagesOf(parseInput(SendEmail, input), MessageId, new Date(now()).toISOString());
    transaction(database, () => {
      for (const message of messages) insert.run(message.to.toLowerCase(), JSON.stringify(message));
    });
    return { MessageId };
  }

  return {
    answer({ method, path, body }: Call) {
      if (method !== 'POST' || path !== '/v2/email/outbound-emails') {
        return refusal(501, 'NotImplemented', `The local stack has no ${method} ${path} of SES.`);
      }
      try {
        return json(200, send(JSON.parse(body.toString())));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return refusal(400, 'BadRequestException', error.message);
      }
    },
    messages: (to: string | undefined, limit: number): Message[] =>
      select.all({ to: to ?? null, limit: limitOf(limit) }).map(({ message }) => JSON.parse(String(message))),
    clear: () => database.exec('DELETE FROM ses_messages'),
  };
}

/** The SDK reads the name of an exception from a header. */
const refusal = (status: number, exception: string, message: string) =>
  json(status, { message }, { 'x-amzn-errortype': exception });

function messagesOf(
  { FromEmailAddress, Destination, Content: { Simple } }: z.infer<typeof SendEmail>,
  id: string,
  at: string,
): Message[] {
  return Destination.ToAddresses.map((to, index) => ({
    id: index === 0 ? id : `${id}-${index}`,
    provider: 'ses',
    at,
    from: FromEmailAddress,
    to,
    subject: Simple.Subject.Data,
    text: Simple.Body.Text?.Data ?? '',
    html: Simple.Body.Html?.Data ?? '',
    headers: Object.fromEntries(Simple.Headers.map(({ Name, Value }) => [Name, Value])),
    variables: {},
  }));
}
