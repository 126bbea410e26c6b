import type { Days } from '#core/counters/rollup.store.ts';
import * as log from '#core/sending/log/page.ts';
import type { Table } from '#core/storage/table.store.ts';
import { MOST_RECENT } from '#shared/report/figures.ts';
import type { RecentSend } from '#shared/reporting.ts';

type Needs = { table: Table; now: Date };

/** The newest emails of a combination in a range of days, as far as one page of the log reaches. */
export async function recentSends(
  needs: Needs,
  organization: number,
  combination: string,
  { from, to }: Days,
): Promise<{ sends: RecentSend[]; since: string | null }> {
  const { data, meta } = await log.page(needs, organization, {
    ...{ page: 1, per_page: MOST_RECENT, status: 'sent', combination, from, to },
  });
  return {
    sends: data
      .map(send => ({
        id: send.id,
        recipient: send.recipient_email,
        list_member_id: send.list_member_id,
        email_list: send.email_list_name,
        automation: send.automation_name,
        sent_at: send.sent_at,
        is_opened: send.is_opened,
        is_clicked: send.is_clicked,
      }))
      .sort((a, b) => (a.sent_at === b.sent_at ? 0 : a.sent_at < b.sent_at ? 1 : -1)),
    since: data.length < MOST_RECENT ? meta.searched_since : null,
  };
}
