import * as combination from '#core/content/combination.ts';
import { newId } from '#core/id.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { addSkips } from '#core/sending/skip.store.ts';
import { needsOf } from './items.ts';
import type { Stack } from './stack.ts';
import { type WrittenSend, writeLog } from './written-log.ts';

type Wanted = {
  organization: number;
  list: string;
  automation: string;
  template: string;
  /** Members of the list who have got no emails yet. */
  emails: string[];
};

const MINUTE = 60_000;

/** A log of more than a page, with all kinds of emails. */
export async function newLog(stack: Stack, { organization, list, automation, template, emails }: Wanted) {
  const { table, now } = await needsOf(stack);
  const before = (minutes: number) => new Date(now.getTime() - minutes * MINUTE).toISOString();
  await combination.contentsOf(table, organization).ofChoice({ id: template, template_id: template });
  const seqs = new Map<string, number>();
  const sendTo = (to: string, at: string, more: Partial<WrittenSend> = {}): WrittenSend => {
    const seq = (seqs.get(to) ?? 0) + 1;
    seqs.set(to, seq);
    return { to, seq, combination: template, at, ...more };
  };
  const batch = (minutes: number, end: 'sent' | 'failed' | 'unknown', sends: WrittenSend[]) => {
    const at = before(minutes);
    return { minute: at.slice(0, 16), pack: newId(), list, automation, at, end, sends };
  };
  const [first = ''] = emails;
  const opened_at = before(40);
  await writeLog(table, organization, [
    batch(
      60 * 24 * 2,
      'sent',
      Array.from({ length: 30 }, (_, nth) =>
        sendTo(emails[nth % emails.length] ?? first, before(60 * 24 * 2)),
      ),
    ),
    batch(90, 'sent', [
      sendTo(first, before(90), {
        marks: { opened_at, first_clicked_at: before(38), unsubscribed_at: before(37) },
      }),
      sendTo(emails[1] ?? first, before(90), {
        marks: {
          bounced_at: before(80),
          bounce: 'hard',
          bounce_reason:
            '550 5.7.515 Access denied, sending domain [address] does not meet the required authentication level',
        },
      }),
      sendTo(emails[2] ?? first, before(90), { marks: { opened_at, complained_at: before(20) } }),
    ]),
    batch(30, 'failed', [sendTo(first, before(30))]),
    batch(20, 'unknown', [sendTo(first, before(20))]),
  ]);
  const pack = {
    organization,
    minute: before(50).slice(0, 16),
    id: newId(),
    sources: [{ list, automation }],
  };
  await addSkips(table, pack, [{ hash: hashOf(first), source: 0, reason: 'capped:max_emails_24_hours' }]);
}
