import type { Mailbox } from '../mailgun/mailbox.ts';
import type { Message } from './message.ts';

export type Inbox = {
  /** The emails, newest first: those to one address, and at most so many, where that is given. */
  messages: (to?: string, limit?: number) => Promise<Message[]>;
  clear: () => Promise<void>;
};

type StoredMail = {
  messageId: string;
  from: string;
  destination: { to: string[] };
  subject: string;
  body: { text?: string; html?: string };
  headers?: { name: string; value: string }[];
  at: number;
};

/** The emails that the SES engine and the Mailgun stand-in have accepted. */
export function createInbox(engine: string, mailgun: Pick<Mailbox, 'messages' | 'clear'>): Inbox {
  return {
    async messages(to, limit = Number.POSITIVE_INFINITY) {
      const wanted = to?.trim().toLowerCase();
      const response = await fetch(`${engine}/store`);
      const { emails } = (await response.json()) as { emails: StoredMail[] };
      const fromSes = emails
        .flatMap(perRecipient)
        .reverse()
        .filter(message => !wanted || message.to.toLowerCase() === wanted);
      const fromMailgun = mailgun.messages(wanted, limit);
      return [...fromMailgun, ...fromSes].sort((a, b) => b.at.localeCompare(a.at)).slice(0, limit);
    },
    async clear() {
      mailgun.clear();
      await fetch(`${engine}/clear-store`, { method: 'POST' });
    },
  };
}

function perRecipient({
  messageId,
  from,
  destination,
  subject,
  body,
  headers = [],
  at,
}: StoredMail): Message[] {
  return destination.to.map((to, index) => ({
    id: index === 0 ? messageId : `${messageId}-${index}`,
    provider: 'ses',
    at: new Date(at * 1000).toISOString(),
    from,
    to,
    subject,
    text: body.text ?? '',
    html: body.html ?? '',
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    variables: {},
  }));
}
