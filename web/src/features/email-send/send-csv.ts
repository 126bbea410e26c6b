import { titleOf } from '#shared/providers.ts';
import type { EmailSend, EmailSendsPage } from '#shared/send.ts';
import { REASONS } from '#shared/send-status.ts';
import { STATUS_NAMES } from '#web/entities/email/send-texts.ts';
import { MOST_EXPORTED } from '#web/lib/save-file.ts';

const PER_PAGE = 100;

const COLUMNS: [name: string, cell: (send: EmailSend) => string | null][] = [
  ['Sent at', ({ sent_at }) => sent_at],
  ['List', ({ email_list_name }) => email_list_name],
  ['Automation', ({ automation_name }) => automation_name],
  ['Subject', ({ subject }) => subject],
  ['Recipient', ({ recipient_email }) => recipient_email],
  ['Status', ({ status }) => STATUS_NAMES[status]],
  ['Reason', ({ reason }) => reason && REASONS[reason]],
  ['Provider', ({ provider }) => provider && titleOf(provider)],
  ['Opened at', ({ opened_at }) => opened_at],
  ['Clicked at', ({ first_clicked_at }) => first_clicked_at],
  ['Unsubscribed at', ({ unsubscribed_at }) => unsubscribed_at],
  ['Bounced', ({ is_bounced, bounce_reason }) => (is_bounced ? (bounce_reason ?? 'Yes') : null)],
  ['Complained', ({ is_complained }) => (is_complained ? 'Yes' : null)],
  ['Combination', ({ combination_id }) => combination_id],
  ['ID', ({ id }) => id],
];

export const rowsOfSends = (sends: EmailSend[]): string[][] => [
  COLUMNS.map(([name]) => name),
  ...sends.map(send => COLUMNS.map(([, cell]) => cell(send) ?? '')),
];

/** Yields all emails that the query finds, page by page, even if there are more than one request reads. */
export async function allSends(
  load: (page: { page: string; per_page: string; after?: string }) => Promise<EmailSendsPage>,
  onProgress: (count: number) => void,
): Promise<{ sends: EmailSend[]; isComplete: boolean }> {
  const sends = new Map<string, EmailSend>();
  let after: string | undefined;
  for (let page = 1; ; page++) {
    const { data, meta } = await load({
      page: String(page),
      per_page: String(PER_PAGE),
      ...(after && { after }),
    });
    for (const send of data) sends.set(send.id, send);
    onProgress(sends.size);
    after = meta.next ?? undefined;
    if (!after || sends.size >= MOST_EXPORTED) return { sends: [...sends.values()], isComplete: !after };
  }
}
