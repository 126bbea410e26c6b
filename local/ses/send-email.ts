import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { parseInput } from '../aws-json.ts';
import type { Message } from '../inbox/message.ts';
import type { Mailbox } from './mailbox.ts';
import type { Operation } from './operations.ts';

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

/** Sends one email: the product's own, such as login codes. */
export const sendEmail = (mailbox: Mailbox, now: () => number): Operation => ({
  method: 'POST',
  path: /^\/v2\/email\/outbound-emails$/,
  answer(input) {
    const MessageId = randomUUID();
    mailbox.take(messagesOf(parseInput(SendEmail, input), MessageId, new Date(now()).toISOString()));
    return { MessageId };
  },
});

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
