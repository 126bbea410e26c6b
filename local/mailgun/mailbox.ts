import type { Message } from '../inbox/message.ts';
import type { Address } from './address.ts';
import { mapValues, type Post } from './message.ts';

/** What one recipient gets of a post. */
export type Delivery = { post: Post; id: string; recipient: Address };

export type Mailbox = {
  /** Returns how many emails that makes. */
  take: (post: Post) => number;
  /** Newest first. */
  messages: (to: string | undefined, limit: number) => Message[];
  /** The email that was posted with this value as its user variable `send`. */
  sent: (send: string) => Delivery | undefined;
  clear: () => void;
};

/** The accepted posts. Variables are filled in when a message is read. */
export function createMailbox(): Mailbox {
  let shown: Delivery[] = [];
  const sends = new Map<string, Delivery>();
  return {
    take(post) {
      for (const [index, recipient] of post.to.entries()) {
        const delivery = { post, recipient, id: index === 0 ? post.id : `${post.id}-${index}` };
        const { send } = userVariablesOf(delivery);
        if (send !== undefined) sends.set(send, delivery);
        if (!post.testMode) shown.push(delivery);
      }
      return post.to.length;
    },
    messages(to, limit) {
      const found: Delivery[] = [];
      for (let at = shown.length - 1; at >= 0 && found.length < limit; at -= 1) {
        const delivery = shown[at];
        if (delivery && (!to || delivery.recipient.email.toLowerCase() === to)) found.push(delivery);
      }
      return found.map(messageOf);
    },
    sent: send => sends.get(send),
    clear() {
      shown = [];
    },
  };
}

export function messageOf(delivery: Delivery): Message {
  const { post, id, recipient } = delivery;
  const fill = filler(delivery);
  const userVariables = userVariablesOf(delivery);
  return {
    id,
    provider: 'mailgun',
    at: post.at,
    from: post.from,
    to: recipient.email,
    subject: fill(post.subject),
    text: fill(post.text),
    html: fill(post.html),
    headers: {
      To: (post.recipientVariables ? [recipient] : post.to).map(({ spec }) => spec).join(', '),
      'Message-Id': `<${post.id}>`,
      ...mapValues(post.headers, fill),
      ...(Object.keys(userVariables).length > 0 && { 'X-Mailgun-Variables': JSON.stringify(userVariables) }),
    },
    variables: { ...userVariables, ...variablesOf(delivery) },
  };
}

export const userVariablesOf = (delivery: Delivery) =>
  mapValues(delivery.post.userVariables, filler(delivery));

const variablesOf = ({ post, recipient }: Delivery): Record<string, string> => {
  const all = post.recipientVariables ?? {};
  return Object.hasOwn(all, recipient.email) ? (all[recipient.email] ?? {}) : {};
};

// https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/batch-sending
const VARIABLE = /%recipient\.([^%\r\n]+)%/g;

/** Fills in the variables of a recipient in one pass, so that nothing in a value is a variable. Unknown ones stay. */
function filler(delivery: Delivery): (text: string) => string {
  const variables = variablesOf(delivery);
  return text =>
    text.replace(VARIABLE, (whole, key: string) =>
      Object.hasOwn(variables, key) ? (variables[key] ?? whole) : whole,
    );
}
