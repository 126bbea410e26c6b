export type Message = {
  id: string;
  provider: 'ses' | 'mailgun';
  at: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  variables: Record<string, string>;
};

export type Inbox = {
  /** What was sent, newest first; only to one address if one is given. */
  messages: (to?: string) => Promise<Message[]>;
  clear: () => Promise<void>;
};

type StoredMail = {
  messageId: string;
  from: string;
  destination: { to: string[]; cc: string[]; bcc: string[] };
  subject: string;
  body: { text?: string; html?: string };
  headers?: { name: string; value: string }[];
  at: number;
};

/** What the mail engine has taken. */
export function createInbox(engine: string): Inbox {
  return {
    async messages(to) {
      const response = await fetch(`${engine}/store`);
      const { emails } = (await response.json()) as { emails: StoredMail[] };
      const messages = emails.flatMap(perRecipient).reverse();
      const wanted = to?.trim().toLowerCase();
      return wanted ? messages.filter(message => message.to.toLowerCase() === wanted) : messages;
    },
    async clear() {
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
  return [...destination.to, ...destination.cc, ...destination.bcc].map((to, index) => ({
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
