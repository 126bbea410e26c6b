import type { Item } from '#core/storage/table.store.ts';
import { isDeleted } from '../endings.ts';
import type { Fault } from '../faults.ts';
import type { FinishedRun } from '../invariants.ts';
import { ZONE_COLUMN, ZONES } from '../sending-times.ts';

const CLOCKS_APART = 5_000;
const SWEPT_LATER = 80 * 60 * 1000;

/** What holds for the items of the table, whatever was sent. */

/** The changes of the sweep's state of its shards. */
const statesIn = ({ store }: FinishedRun) =>
  store.shards.flat().filter(({ key }) => key.PK.startsWith('SWEEP#') && key.SK === 'STATE');

export const theWatermarkNeverMovesBack = (run: FinishedRun): string[] =>
  statesIn(run)
    .filter(({ before, after }) => String(after?.swept_minute ?? '') < String(before?.swept_minute ?? ''))
    .map(({ after }) => `moved back to ${after?.swept_minute}`);

export const aRunKeepsItsLeaseUntilItEnds = (run: FinishedRun): string[] =>
  statesIn(run)
    .filter(({ before, after, at }) => {
      // By the clock of the previous run, which may be ahead of the clock of the next one.
      const isHeld = new Date(at + CLOCKS_APART).toISOString() < String(before?.until ?? '');
      return isHeld && before?.holder !== after?.holder;
    })
    .map(({ before, after }) => `${after?.holder} has the lease of ${before?.holder}`);

export const theCountsOfAListAreThoseOfItsMembers = ({ items }: FinishedRun): string[] =>
  items
    .filter(({ SK }) => SK === 'COUNTS')
    .flatMap(({ PK, total = 0, subscribed = 0 }) => {
      const listId = String(PK).slice('LIST#'.length);
      const members = items.filter(({ SK, status }) => SK === `IN#${listId}` && status !== 'left');
      const counted = members.filter(({ status }) => status === 'subscribed').length;
      const isRight = total === members.length && subscribed === counted;
      return isRight ? [] : [`${listId}: ${total} and ${subscribed}, not ${members.length} and ${counted}`];
    });

export const theEntriesOfAJournalAreNumberedWithoutGaps = ({ items }: FinishedRun): string[] => {
  const entries = items.filter(({ SK }) => String(SK).startsWith('J#'));
  return [...Map.groupBy(entries, ({ PK }) => String(PK))].flatMap(([PK, journal]) => {
    const numbers = journal.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
    return numbers.every((seq, at) => seq === at + 1) ? [] : [`${PK}: ${numbers}`];
  });
};

/** After these faults, a process may have failed between two of its writes, or a write may have arrived late. */
const LEAVING: Fault[] = [
  'killed before',
  'killed after',
  'stalled',
  'throttle',
  'conflict',
  'late copy',
  'write lost',
  'table slow',
];

/** No row is missing. A surplus row has no effect: it is left behind if a process or a call of an import fails between two writes. */
export const theTriggerRowsAreThoseOfTheMembersWhoMayBeMailed = ({
  items,
  faults,
}: FinishedRun): string[] => {
  const rows = new Set(
    items.filter(({ PK }) => String(PK).startsWith('TRG#')).map(({ PK, SK }) => `${PK} ${SK}`),
  );
  const heads = items.filter(({ SK, suppression }) => SK === 'HEAD' && suppression);
  const suppressed = new Set(heads.map(({ PK }) => PK));
  const members = items.filter(({ SK, status }) => String(SK).startsWith('IN#') && status === 'subscribed');
  const wanted = new Set(members.filter(({ PK }) => !suppressed.has(PK)).flatMap(rowsOf));
  const missing = [...wanted].filter(row => !rows.has(row)).map(row => `${row} is missing`);
  const imports = items.filter(({ PK, state }) => /#IMPORTS$/.test(String(PK)) && state === 'running');
  const isOfFailed = (row: string) => imports.some(({ list_id }) => row.startsWith(`TRG#${list_id}#`));
  const extra = [...rows]
    .filter(row => !wanted.has(row) && !isOfFailed(row))
    .map(row => `${row} is left over`);
  return LEAVING.some(fault => faults.counts.has(fault)) ? missing : [...missing, ...extra];
};

function rowsOf({ PK, list_id, created_at, metadata }: Item): string[] {
  const hash = String(PK).split('#')[2];
  const dates = Object.entries({ '': created_at, ...(metadata as object) });
  const place = ZONES.find(zone => zone === (metadata as Item)[ZONE_COLUMN]);
  const zone = place === undefined ? '' : `#${place}`;
  return dates.flatMap(([column, value]) => {
    const instant = new Date(/^\d{4}-\d\d-\d\d/.test(String(value)) ? String(value) : Number.NaN);
    if (Number.isNaN(instant.getTime())) return [];
    // A key for midnight as a time ends with it; that for a date without a time does not.
    const time = /T00:00/.test(instant.toISOString()) && String(value).includes('T') ? '#00:00' : '';
    const minute = String(instant.getUTCHours() * 60 + instant.getUTCMinutes()).padStart(4, '0');
    return [`TRG#${list_id}#${column} ${minute}#${instant.toISOString().slice(0, 10)}#${hash}${zone}${time}`];
  });
}

/** By organization, list, date column and automation. */
export const theSourcesOfTheSweepAreTheListsOfActiveAutomations = ({
  history,
  items,
  until,
}: FinishedRun): string[] => {
  const begins = (prefix: string) => items.filter(({ SK }) => String(SK).startsWith(prefix));
  const lists = new Set(begins('LIST#').map(({ PK, SK }) => `${PK} ${String(SK).slice('LIST#'.length)}`));
  // The items of deleted lists and organizations are purged.
  const isKept = (organization: unknown, list: unknown) =>
    !isDeleted(history, Number(organization)) && lists.has(`ORG#${organization} ${list}`);
  const active = begins('AUTO#').filter(automation => automation.active === true);
  const expected = new Set(
    active.flatMap(({ organization_id, id, email_list_ids, metadata_trigger }) =>
      (email_list_ids as string[])
        .filter(list => isKept(organization_id, list))
        .map(list => `${organization_id}#${list}#${metadata_trigger ?? ''}#${id}`),
    ),
  );
  // What a large change of a sequence has stored before it died, the sweep leaves alone for an hour.
  const isOfDead = (since: unknown, organization: unknown, automation: string) =>
    Date.parse(String(since)) > until - SWEPT_LATER &&
    history
      .changesOf(`ORG#${organization}`, `AUTO#${automation}`)
      .every(({ after }) => !after || after.sequence_id);
  const found = new Set(
    items.flatMap(({ PK, SK, since }) => {
      const [organization, list, , automation] = String(SK).split('#');
      if (!String(PK).startsWith('SWEEP#') || automation === undefined || !isKept(organization, list))
        return [];
      return isOfDead(since, organization, automation) && !expected.has(String(SK)) ? [] : [String(SK)];
    }),
  );
  return [
    ...[...expected].filter(one => !found.has(one)).map(one => `${one} is missing`),
    ...[...found].filter(one => !expected.has(one)).map(one => `${one} is left over`),
  ];
};

/** Of a broadcast, while it is scheduled. */
export const theQuotaCountsWhatIsActive = ({ history, items }: FinishedRun): string[] =>
  items
    .filter(({ PK, SK }) => SK === 'META' && String(PK).startsWith('ORG#'))
    .filter(({ id }) => !isDeleted(history, Number(id)))
    .flatMap(meta => {
      const own = items.filter(({ PK }) => PK === meta.PK);
      const countOf = (kind: string, isCounted: (item: Item) => boolean = () => true) =>
        own.filter(item => String(item.SK).startsWith(kind) && isCounted(item)).length;
      const active = countOf('AUTO#', item => item.active === true);
      const expected = {
        automations: countOf('AUTO#'),
        active_automations: active + countOf('CAST#', ({ status }) => status === 'scheduled'),
        sequences: countOf('SEQ#'),
        broadcasts: countOf('CAST#'),
      };
      return Object.entries(expected).flatMap(([name, count]) =>
        Number(meta[name] ?? 0) === count ? [] : [`${meta.PK} has ${count} ${name}, not ${meta[name]}`],
      );
    });

const MAY_BE_ADDED = new Set(
  `released erased outcome resend opened_at first_clicked_at machine_opened_at machine_clicked_at
  unsub_clicked_at unsubscribed_at resubscribed_at delivered_at rejected_at bounced_at bounce
  bounce_reason complained_at`.split(/\s+/),
);

/** But for releases, marks, a bounce that turns out to be hard, a failed email that was sent, and what an erasure removes. */
export const theEntriesOfAJournalStay = ({ history, store }: FinishedRun): string[] =>
  store.shards
    .flat()
    .filter(({ key, before }) => key.SK.startsWith('J#') && before)
    .filter(({ key, after }) => after || !isDeleted(history, Number(key.PK.split('#')[1])))
    .filter(({ before = {}, after = {} }) => {
      const isAdded = (name: string) => MAY_BE_ADDED.has(name) && !(name in before);
      const kept = Object.entries(after).filter(([name]) => !isAdded(name));
      const turnedOut = {
        ...(before.bounce === 'soft' && after.bounce === 'hard' && { bounce: 'hard' }),
        ...(before.outcome === 'failed' && after.outcome === 'sent' && { outcome: 'sent' }),
      };
      const isErased = after.erased && !before.erased;
      const isDropped = (name: string) =>
        name === 'resend' || (isErased && ['bounce_reason', 'values', 'trigger'].includes(name));
      const was = Object.entries({ ...before, ...turnedOut }).filter(
        ([name]) => name in after || !isDropped(name),
      );
      return JSON.stringify(kept.sort()) !== JSON.stringify(was.sort());
    })
    .map(({ key }) => `${key.PK} ${key.SK} was replaced, changed or deleted`);

/** The items that are left, as text. */
const leftOf = (items: Item[], isOf: (PK: string, SK: string) => boolean): string[] =>
  items.filter(({ PK, SK }) => isOf(String(PK), String(SK))).map(({ PK, SK }) => `${PK} ${SK} is left`);

const isOfList = (list: string, PK: string) => PK === `LIST#${list}` || PK.startsWith(`TRG#${list}#`);

/** The record of switches, keys of events, and the item that leads from the id of a list to its items have a time to live. */
export const nothingIsLeftOfADeletedOrganization = ({ history, items, model }: FinishedRun): string[] =>
  model.organizations
    .filter(({ id }) => isDeleted(history, id))
    .flatMap(({ id, lists }) => {
      const isSwept = (SK: string) => SK.startsWith(`${id}#`) || SK === `BEHIND#${id}`;
      return leftOf(
        items,
        (PK, SK) =>
          PK === `ORG#${id}` ||
          PK.startsWith(`ORG#${id}#`) ||
          (PK.startsWith(`R#${id}#`) && !SK.startsWith('KEY#')) ||
          (PK.startsWith('SWEEP#') && isSwept(SK)) ||
          lists.some(list => isOfList(list, PK)),
      );
    });

export const nothingIsLeftOfADeletedList = ({ history, items, model }: FinishedRun): string[] => {
  const deleted = model.organizations.flatMap(({ id, lists }) =>
    lists.filter(list => history.changesOf(`ORG#${id}`, `LIST#${list}`).at(-1)?.after === undefined),
  );
  return leftOf(items, (PK, SK) => deleted.some(list => isOfList(list, PK) || SK === `IN#${list}`));
};
