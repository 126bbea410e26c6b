import { HOUR, MINUTE } from '#shared/time.ts';
import type { Message } from '../inbox/message.ts';
import { chance } from './chance.ts';
import { ASSETS, TEMPLATES } from './company.ts';

/** What a recipient, or their mail server, does with an email. */
export type Reaction = {
  at: number;
  kind: 'open' | 'click' | 'order' | 'unsubscribe' | 'bounced' | 'bounced_soft' | 'complained';
  email: Message;
};

const HARD_BOUNCES = 0.012;
const SOFT_BOUNCES = 0.004;
const UNSUBSCRIBES = 0.009;
const CLICKS = 0.16;
const ORDERS = 0.3;
/** How long most people wait until they open an email. */
const PATIENCE = 4 * HOUR;
const LONGEST_WAIT = 3 * 24 * HOUR;

/** The reactions to an email. They are the same in each history. */
export function reactionsTo(email: Message): Reaction[] {
  const { to, subject } = email;
  const sent = Date.parse(email.at);
  const lucky = (share: number, ...names: string[]) =>
    chance(...names, to, email.at.slice(0, 13), subject) < share;
  const reaction = (kind: Reaction['kind'], at: number): Reaction => ({ kind, at, email });

  if (chance('bounces', to) < HARD_BOUNCES) return [reaction('bounced', sent + MINUTE)];
  if (lucky(SOFT_BOUNCES, 'mailbox is full')) return [reaction('bounced_soft', sent + 9 * HOUR)];
  // Some people read almost everything, others hardly anything.
  const interest = 0.1 + 0.6 * chance('interest', to);
  const { subject: ofSubject, button } = appealOf(email);
  if (!lucky(interest * ofSubject, 'opens')) return [];
  const wait = Math.min(LONGEST_WAIT, -Math.log(1 - chance('wait', to, email.at)) * PATIENCE);
  const opened = sent + 3 * MINUTE + wait;
  const reactions = [reaction('open', opened)];
  if (lucky(CLICKS * button, 'clicks')) {
    reactions.push(reaction('click', opened + MINUTE));
    if (lucky(ORDERS, 'orders')) reactions.push(reaction('order', opened + HOUR));
  } else if (lucky(UNSUBSCRIBES, 'unsubscribes')) reactions.push(reaction('unsubscribe', opened + MINUTE));
  return reactions;
}

export const orderValue = ({ to, at }: Message) =>
  Math.round(1_200 + chance('value', to, at) ** 2 * 4_000) / 100;

/** Finds the template and the assets by their texts, as an email does not name them. */
function appealOf({ subject, html }: Message): { subject: number; button: number } {
  const found = TEMPLATES.find(({ template }) => html.includes(`>${template.cta_text}<`));
  if (found) return { subject: 1, button: found.appeal };
  const [line, button] = ['subject_line', 'cta_text'].map(part =>
    ASSETS.find(
      ({ type, value }) =>
        type === part && (part === 'cta_text' ? html.includes(`>${value}<`) : isMadeOf(subject, value)),
    ),
  );
  return { subject: line?.appeal ?? 1, button: button?.appeal ?? 1 };
}

/** Whether a text is this source with its placeholders filled in: compares the text between the placeholders. */
const isMadeOf = (text: string, source: string) =>
  source.split(/{{.*?}}/).every(piece => text.includes(piece));
