import { chunksOf } from '#core/chunks.ts';
import * as organizations from '#core/organization/organization.ts';
import { Refusal } from '#core/refusal.ts';
import { type Table, textOf } from '#core/storage/table.store.ts';
import { ABSENT, commit, conditionsHeld, unchanged, updateWrite } from '#core/storage/write.store.ts';
import { listParts, rollupParts, valuePart } from './parts.ts';
import { type Difference, differenceId, differences, isSame, type Part } from './sums.ts';

type Needs = {
  table: Table;
  /** Waits for longer than the projector takes to count a write. */
  pause: () => Promise<void>;
  /** Reports how far it has come. */
  progress: (line: string) => void;
};

/** `changing`: each pass found another difference, as the projector is counting it right now. */
export type Finding = Difference & { of: string; state: 'differs' | 'fixed' | 'changing' };

const MOST_PASSES = 5;

/**
 * Counts anew what an organization's counters should be, and yields those that differ; with `fix` it corrects them. While
 * the product runs, there are always writes that are not counted yet. So a counter differs only if two passes, with a pause
 * between them, find the same difference. The difference is added, on condition that the counter is as both passes have
 * found it.
 */
export async function* rebuild(
  needs: Needs,
  organization: number,
  { fix }: { fix: boolean },
): AsyncGenerator<Finding> {
  const [found] = await organizations.findAll(needs, [organization]);
  if (!found) throw new Refusal('not-found', `There is no organization ${organization}.`);
  for await (const part of countedParts(needs, organization)) yield* examine(needs, part, fix);
}

async function* countedParts(needs: Needs, organization: number): AsyncGenerator<Part> {
  yield* await listParts(needs, organization);
  yield* rollupParts(needs, organization);
  yield valuePart(needs, organization);
}

async function* examine(needs: Needs, part: Part, fix: boolean): AsyncGenerator<Finding> {
  const compare = async (among?: Difference[]) => {
    const { stored, counted } = await part.read(among?.map(({ key }) => key));
    return differences(stored, counted);
  };
  const of = part.name;
  let before = await compare();
  for (let passes = 1; before.length > 0 && passes < MOST_PASSES; passes++) {
    await needs.pause();
    const known = new Map(before.map(one => [differenceId(one), one]));
    const again = (await compare(before)).filter(one => known.has(differenceId(one)));
    const confirmed = again.filter(one => isSame(known.get(differenceId(one)), one));
    before = again.filter(one => !confirmed.includes(one));
    if (!fix) for (const one of confirmed) yield { ...one, of, state: 'differs' };
    else {
      for (const some of byWrite(confirmed)) {
        if (await correct(needs.table, part, some))
          for (const one of some) yield { ...one, of, state: 'fixed' };
        else before.push(...some);
      }
    }
  }
  for (const one of before) yield { ...one, of, state: 'changing' };
}

// An update expression may have 4 KB.
const MOST_AT_ONCE = 20;

/** What one write changes: some numbers of an item. */
const byWrite = (all: Difference[]): Difference[][] =>
  [...Map.groupBy(all, ({ key }) => textOf(key)).values()].flatMap(ofItem => chunksOf(ofItem, MOST_AT_ONCE));

/**
 * Adds the difference, as the projector adds to the same numbers. Returns false if they have changed since they were read.
 */
function correct(table: Table, { guardOf }: Part, some: Difference[]): Promise<boolean> {
  const [{ key, exists }] = some as [Difference];
  const stored = Object.fromEntries(some.map(({ name, stored }) => [name, stored]));
  const add = Object.fromEntries(some.map(({ name, stored = 0, counted }) => [name, counted - stored]));
  const only = exists ? unchanged(stored, Object.keys(stored)) : ABSENT;
  return conditionsHeld(commit(table, [updateWrite(table, key, { add }, only), ...guardOf(key)]));
}
