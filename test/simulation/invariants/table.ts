import type { Item } from '#core/storage/table.store.ts';
import { isDeleted } from '../endings.ts';
import type { Fault } from '../faults.ts';
import type { FinishedRun } from '../invariants.ts';
import { ZONE_COLUMN, ZONES } from '../sending-times.ts';

const CLOCKS_APART = 5_000;

/** What holds for the items of the table, whatever was sent. */

/** The changes of the sweep's state of its shards. */
const statesIn = ({ environment: { store } }: FinishedRun) =>
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

export const theCountsOfAListAreThoseOfItsMembers = ({ environment: { store } }: FinishedRun): string[] => {
  const items = [...store.all()];
  return items
    .filter(({ SK }) => SK === 'COUNTS')
    .flatMap(({ PK, total = 0, subscribed = 0 }) => {
      const listId = String(PK).slice('LIST#'.length);
      const members = items.filter(({ SK, status }) => SK === `IN#${listId}` && status !== 'left');
      const counted = members.filter(({ status }) => status === 'subscribed').length;
      const isRight = total === members.length && subscribed === counted;
      return isRight ? [] : [`${listId}: ${total} and ${subscribed}, not ${members.length} and ${counted}`];
    });
};

export const theEntriesOfAJournalAreNumberedWithoutGaps = ({
  environment: { store },
}: FinishedRun): string[] => {
  const entries = [...store.all()].filter(({ SK }) => String(SK).startsWith('J#'));
  return [...Map.groupBy(entries, ({ PK }) => String(PK))].flatMap(([PK, of]) => {
    const numbers = of.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
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

/** No row is missing. A surplus row has no effect: it is left behind if a process fails between two writes. */
export const theTriggerRowsAreThoseOfTheMembersWhoMayBeMailed = ({
  environment: { store, faults },
}: FinishedRun): string[] => {
  const items = [...store.all()];
  const rows = new Set(
    items.filter(({ PK }) => String(PK).startsWith('TRG#')).map(({ PK, SK }) => `${PK} ${SK}`),
  );
  const suppressed = new Set(
    items.filter(({ SK, suppression }) => SK === 'HEAD' && suppression).map(({ PK }) => PK),
  );
  const wanted = new Set(
    items
      .filter(
        ({ PK, SK, status }) =>
          String(SK).startsWith('IN#') && status === 'subscribed' && !suppressed.has(PK),
      )
      .flatMap(rowsOf),
  );
  const missing = [...wanted].filter(row => !rows.has(row)).map(row => `${row} is missing`);
  const extra = [...rows].filter(row => !wanted.has(row)).map(row => `${row} is left over`);
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
  environment: { store },
}: FinishedRun): string[] => {
  const items = [...store.all()];
  const lists = new Set(
    items
      .filter(({ SK }) => String(SK).startsWith('LIST#'))
      .map(({ PK, SK }) => `${PK} ${String(SK).slice('LIST#'.length)}`),
  );
  // The items of deleted lists and organizations are purged.
  const isKept = (organization: unknown, list: unknown) =>
    !isDeleted(history, Number(organization)) && lists.has(`ORG#${organization} ${list}`);
  const expected = new Set(
    items
      .filter(({ SK, active }) => String(SK).startsWith('AUTO#') && active === true)
      .flatMap(({ organization_id, id, email_list_ids, metadata_trigger }) =>
        (email_list_ids as string[])
          .filter(list => isKept(organization_id, list))
          .map(list => `${organization_id}#${list}#${metadata_trigger ?? ''}#${id}`),
      ),
  );
  const found = new Set(
    items
      .filter(({ PK }) => String(PK).startsWith('SWEEP#'))
      .map(({ SK }) => String(SK))
      .filter(SK => {
        const [organization, list, , automation] = SK.split('#');
        return automation !== undefined && isKept(organization, list);
      }),
  );
  return [
    ...[...expected].filter(one => !found.has(one)).map(one => `${one} is missing`),
    ...[...found].filter(one => !expected.has(one)).map(one => `${one} is left over`),
  ];
};

const MAY_BE_ADDED = new Set([
  'released',
  'erased',
  'outcome',
  'resend',
  'opened_at',
  'first_clicked_at',
  'machine_opened_at',
  'machine_clicked_at',
  'unsub_clicked_at',
  'unsubscribed_at',
  'resubscribed_at',
  'delivered_at',
  'rejected_at',
  'bounced_at',
  'bounce',
  'bounce_reason',
  'complained_at',
]);

/**
 * The only changes: a claim is released, its email gets a mark, a bounce turns out to be hard, a failed email turns out to be
 * sent, or the reason of a bounce is removed with an erased person.
 */
export const theEntriesOfAJournalStay = ({ history, environment: { store } }: FinishedRun): string[] =>
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

/**
 * Except the record of switches, which stays for its time to live, and the item that leads from the id of a list to its items.
 */
export const nothingIsLeftOfADeletedOrganization = ({
  history,
  environment: { store },
  model,
}: FinishedRun): string[] =>
  model.organizations
    .filter(({ id }) => isDeleted(history, id))
    .flatMap(({ id, lists }) => {
      const isOf = (PK: string, SK: string) =>
        PK === `ORG#${id}` ||
        PK.startsWith(`ORG#${id}#`) ||
        PK.startsWith(`R#${id}#`) ||
        (PK.startsWith('SWEEP#') && (SK.startsWith(`${id}#`) || SK === `BEHIND#${id}`)) ||
        lists.some(list => PK === `LIST#${list}` || PK.startsWith(`TRG#${list}#`));
      return [...store.all()]
        .map(({ PK, SK }): [string, string] => [String(PK), String(SK)])
        .filter(([PK, SK]) => isOf(PK, SK))
        .map(([PK, SK]) => `${PK} ${SK} is left`);
    });

export const nothingIsLeftOfADeletedList = ({
  history,
  environment: { store },
  model,
}: FinishedRun): string[] => {
  const deleted = model.organizations.flatMap(({ id, lists }) =>
    lists.filter(list => history.changesOf(`ORG#${id}`, `LIST#${list}`).at(-1)?.after === undefined),
  );
  return [...store.all()]
    .map(({ PK, SK }): [string, string] => [String(PK), String(SK)])
    .filter(([PK, SK]) =>
      deleted.some(list => PK === `LIST#${list}` || PK.startsWith(`TRG#${list}#`) || SK === `IN#${list}`),
    )
    .map(([PK, SK]) => `${PK} ${SK} is left`);
};
