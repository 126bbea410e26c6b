import { X } from 'lucide-react';
import { LOG_STATUSES, SKIPPED, type Skipped } from '#shared/send-status.ts';
import { Button } from '#web/components/button.tsx';
import { DayFilters } from '#web/components/log-controls.tsx';
import { namedOptions, Select } from '#web/components/select.tsx';
import type { TableOf } from '#web/components/use-table-view.ts';
import { SKIP_NAMES, STATUS_NAMES } from '#web/entities/email/send-texts.ts';
import { useLists } from '#web/entities/list/list.ts';
import { hasBegun, useAutomationChoice } from '#web/lib/automation-choice.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { day, id, oneOf, text } from '#web/lib/filters.ts';
import { formatNumber } from '#web/lib/format.ts';

const REASONS = Object.keys(SKIPPED) as Skipped[];

export const SENDS_VIEW = {
  filters: {
    search: text,
    status: oneOf(LOG_STATUSES),
    reason: oneOf(REASONS),
    list: id,
    automation: id,
    combination: id,
    from: day,
    to: day,
  },
};
export type SendsTable = TableOf<typeof SENDS_VIEW>;

const WIDTH = { base: 'full', sm: '144px' };

/** Shows the skipped emails instead of those that were sent, and how many there are. */
export function SkippedSwitch({ view: { filters }, filter }: SendsTable) {
  const { search, status, list, automation, combination, from, to } = filters;
  const isShown = status === 'skipped';
  // There is no counter of skips: they are counted by reading them, as far as one call does. Those of one recipient are not
  // counted, as they would have to be searched among all others.
  const { data } = useOrganizationData(
    search || combination || isShown ? undefined : 'GET /api/email-sends/skipped',
    {
      query: {
        ...(automation && { automations: automation }),
        ...(list && { list }),
        ...(from && { from }),
        ...(to && { to }),
      },
    },
    { revalidateOnFocus: false },
  );
  const count = data && !data.counted_since ? data.automations.reduce((sum, one) => sum + one.count, 0) : 0;
  // A skipped email has no combination.
  if (combination && !isShown) return null;
  return (
    <Button aria-pressed={isShown} onClick={() => filter({ status: isShown ? '' : 'skipped', reason: '' })}>
      {isShown ? 'Hide skipped' : `Show ${count > 0 ? `${formatNumber(count)} ` : ''}skipped`}
    </Button>
  );
}

export function SendFilters({ view: { filters }, filter }: SendsTable) {
  const { status, reason, list, automation, combination, from, to } = filters;
  const { data: lists } = useLists();
  const { data: automations } = useAutomationChoice('GET /api/automations-for-templates', hasBegun);
  const [chosen = '', why = ''] = [status, reason];

  function chooseStatus(value: string) {
    const [status, reason] = value.split(' ');
    filter({ status, reason });
  }

  return (
    <>
      <Select
        aria-label="Status"
        width={WIDTH}
        value={[chosen, why].filter(Boolean).join(' ')}
        onChange={event => chooseStatus(event.target.value)}
      >
        <option value="">All but skipped</option>
        {LOG_STATUSES.map(one => (
          <option key={one} value={one}>
            {STATUS_NAMES[one]}
          </option>
        ))}
        <optgroup label="Skipped, because of">
          {REASONS.map(one => (
            <option key={one} value={`skipped ${one}`}>
              {SKIP_NAMES[one]}
            </option>
          ))}
        </optgroup>
      </Select>
      <Select
        aria-label="List"
        width={WIDTH}
        value={list}
        onChange={event => filter({ list: event.target.value })}
        options={namedOptions(lists, { chosen: list, none: 'All lists', deleted: 'Deleted list' })}
      />
      <Select
        aria-label="Automation"
        width={WIDTH}
        value={automation}
        onChange={event => filter({ automation: event.target.value })}
        options={namedOptions(automations, {
          chosen: automation,
          none: 'All automations',
          deleted: 'Deleted automation',
        })}
      />
      <DayFilters from={from} to={to} onChange={filter} />
      {combination && (
        <Button onClick={() => filter({ combination: '' })}>
          Combination {combination}
          <X aria-label="Remove this filter" />
        </Button>
      )}
    </>
  );
}
