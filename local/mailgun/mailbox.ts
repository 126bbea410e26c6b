import type { Message } from '../inbox/message.ts';
import type { Address } from './address.ts';
import { mapValues, type Post } from './message.ts';

/** What one person gets of a post. */
export type Delivery = {
  post: Post;
  id: string;
  /** Whose variables are filled in: everyone's in `to`, for those in cc and bcc as well. */
  recipient: Address;
  /** Who gets it. */
  target: Address;
};

export type Mailbox = {
  /** Answers how many emails that makes. */
  take: (post: Post) => number;
  /** Newest first. */
  messages: (to: string | undefined, limit: number) => Message[];
  /** The email that was posted with this value as its user variable `send`. */
  sent: (send: string) => Delivery | undefined;
  clear: () => void;
};

/** What was accepted, kept as it was posted: an email is only put together when somebody looks at it. */
export function createMailbox(): Mailbox {
  let shown: Delivery[] = [];
  const sends = new Map<string, Delivery>();
  return {
    take(post) {
      const deliveries = deliveriesOf(post);
      for (const delivery of deliveries) {
        const { send } = userVariablesOf(delivery);
        if (send !== undefined && delivery.target === delivery.recipient) sends.set(send, delivery);
        if (!post.testMode) shown.push(delivery);
      }
      return deliveries.length;
    },
    messages(to, limit) {
      const found: Delivery[] = [];
      for (let at = shown.length - 1; at >= 0 && found.length < limit; at -= 1) {
        const delivery = shown[at];
        if (delivery && (!to || delivery.target.email.toLowerCase() === to)) found.push(delivery);
      }
      return found.map(messageOf);
    },
    sent: send => sends.get(send),
    clear() {
      shown = [];
    },
  };
}

function deliveriesOf(post: Post): Delivery[] {
  const { to, cc, bcc, id } = post;
  const pairs: [recipient: Address, target: Address][] = post.recipientVariables
    ? to.flatMap(recipient =>
        [recipient, ...cc, ...bcc].map((target): [Address, Address] => [recipient, target]),
      )
    : [...to, ...cc, ...bcc].map(target => [target, target]);
  return pairs.map(([recipient, target], index) => ({
    post,
    id: index === 0 ? id : `${id}-${index}`,
    recipient,
    target,
  }));
}

export function messageOf(delivery: Delivery): Message {
  const { post, id, recipient, target } = delivery;
  const fill = filler(delivery);
  const userVariables = userVariablesOf(delivery);
  return {
    id,
    provider: 'mailgun',
    at: post.at,
    from: post.from,
    to: target.email,
    subject: fill(post.subject),
    text: fill(post.text),
    html: fill(post.html),
    headers: {
      To: (post.recipientVariables ? [recipient] : post.to).map(({ spec }) => spec).join(', '),
      ...(post.cc.length > 0 && { Cc: post.cc.map(({ spec }) => spec).join(', ') }),
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
const VARIABLE = /%recipient(?:_(email|name|fname|lname)|\.([^%\r\n]+))?%/g;

/** Puts in what stands for one recipient, once: what a value holds is no variable. Unknown ones stay as they are. */
function filler(delivery: Delivery): (text: string) => string {
  if (!delivery.post.recipientVariables) return text => text;
  const { spec, email, name } = delivery.recipient;
  const words = name.split(/\s+/);
  const known: Record<string, string> = {
    email,
    name,
    fname: words[0] ?? '',
    lname: words.slice(1).join(' '),
  };
  const variables = variablesOf(delivery);
  return text =>
    text.replace(VARIABLE, (whole, ofAddress?: string, key?: string) => {
      if (ofAddress) return known[ofAddress] ?? whole;
      if (key === undefined) return spec;
      return Object.hasOwn(variables, key) ? (variables[key] ?? whole) : whole;
    });
}
