import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { withTimeout } from './runtime.ts';

// Sends are not retried: if the response was lost, the mail may have been sent.
const client = new SESv2Client({ maxAttempts: 1, ...withTimeout(7_000) });

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** Sends mails of the product itself, such as login codes and invitations. A stage without a sender address sends none. */
export const mailer = mailerOf(process.env.MAIL_FROM);

function mailerOf(FromEmailAddress: string | undefined) {
  if (!FromEmailAddress) return undefined;
  return {
    async send(to: string, letter: { subject: string; text: string; html: string }): Promise<void> {
      await client.send(
        new SendEmailCommand({
          FromEmailAddress,
          Destination: { ToAddresses: [to] },
          Content: {
            Simple: {
              Subject: utf8(letter.subject),
              Body: { Text: utf8(letter.text), Html: utf8(letter.html) },
            },
          },
        }),
      );
    },
  };
}
