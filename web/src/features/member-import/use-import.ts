import { useState } from 'react';
import { MOST_ROWS_AT_ONCE } from '#shared/import-cells.ts';
import type { ImportForecast, MemberImport, RowOutcome } from '#shared/member-import.ts';
import { askToConfirm, Cancelled } from '#web/lib/confirmation.ts';
import { invalidateAfter, useOrganizationCall, useOrganizationChange } from '#web/lib/data.ts';
import { plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { messageOf, Problem } from '#web/lib/problem.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { useChoices } from './choices.tsx';
import { useFile } from './choose-file.tsx';
import { sentencesOf } from './import-emails.tsx';
import type { Batch, Refused } from './reading/pass.ts';
import { type Retrying, useRun, withRetries } from './use-run.ts';

const ROWS = 'POST /api/email-lists/{list}/imports/{memberImport}/rows';

/** If there may be more emails than these, they are confirmed first. */
const MOST_UNASKED = 100;
const NO_EMAILS: ImportForecast = { next_24_hours: 0, next_30_days: 0, automations: [], sampled: null };

export function useImport(list: string, imports: MemberImport[] | undefined) {
  const call = useOrganizationCall();
  const change = useOrganizationChange();
  const organization = useOrganization()?.id;
  const chosen = useFile();
  const run = useRun(chosen.reader);
  // The results of a dry run are not valid for other choices.
  const choices = useChoices(run.forget);
  const [stored, setStored] = useState<MemberImport>();
  const { file } = chosen;
  const params = { list };

  const unfinished = imports?.find(one => one.state === 'running' && one.fingerprint === file?.fingerprint);
  const current = stored ?? unfinished;

  async function choose(picked: File) {
    reset();
    const read = await chosen.read(picked, knownKeys());
    if (read) choices.suggest(read.file.columns, read.known);
  }

  /** Of earlier imports, and those that automations start from. */
  async function knownKeys(): Promise<string[]> {
    const [dates, earlier] = await Promise.all([
      call('GET /api/email-lists/{list}/datetime-metadata-columns', { params }).catch(() => null),
      imports ?? call('GET /api/email-lists/{list}/imports', { params }).catch(() => []),
    ]);
    return [
      ...(dates?.columns ?? []),
      ...earlier.flatMap(({ columns }) => columns.flatMap(({ key }) => key ?? [])),
    ];
  }

  function reset() {
    run.stop();
    chosen.close();
    // The people of the next file are others: what they agreed to is said anew.
    if (stored) choices.restart();
    setStored(undefined);
  }

  const start = (action: () => Promise<void>) =>
    run.exclusively(async () => {
      const { current: reader } = chosen.reader;
      chosen.setError(undefined);
      try {
        await action();
      } catch (problem) {
        if (chosen.reader.current === reader && !(problem instanceof Cancelled))
          chosen.setError(messageOf(problem));
      }
    });

  async function check() {
    if (!file) return;
    const { how } = choices;
    const sample = rowSample();
    await run.sendAll({
      isCheck: true,
      total: file.rows,
      from: 1,
      columns: how.columns,
      earlier: async () => [],
      send: async ({ from, rows }) => {
        const body = { ...how, from, rows };
        const { results } = await call('POST /api/email-lists/{list}/imports/dry-run', { params, body });
        sample.add(from, rows, results);
        return { results, next: from + rows.length };
      },
      forecast: retrying => forecastOf({ ...how, ...sample.drawn() }, retrying),
    });
  }

  async function forecastOf(
    body: typeof choices.how & Sample,
    retrying: Retrying,
  ): Promise<ImportForecast | null> {
    if (body.rows.length === 0) return NO_EMAILS;
    try {
      return await withRetries(
        () => call('POST /api/email-lists/{list}/imports/forecast', { params, body }),
        retrying,
      );
    } catch {
      retrying.signal.throwIfAborted();
      return null;
    }
  }

  async function confirmEmails() {
    const { forecast = NO_EMAILS } = run.running ?? {};
    if (forecast && forecast.next_30_days + (forecast.sampled?.margin ?? 0) <= MOST_UNASKED) return;
    const confirm = forecast?.next_30_days
      ? `Import and send ${plural(forecast.next_30_days, 'email')}`
      : 'Import all the same';
    const sentences = sentencesOf(forecast, choices.options.start_nothing);
    await askToConfirm({ title: 'Send emails?', sentences, confirm });
  }

  async function create() {
    if (!file) return;
    const { current: reader } = chosen.reader;
    await confirmEmails();
    const { mode, as, start_nothing, source, date } = choices.options;
    const created = await change('POST /api/email-lists/{list}/imports', {
      params,
      body: {
        file_name: file.name,
        size: file.size,
        fingerprint: file.fingerprint,
        total_rows: file.rows,
        columns: choices.imported,
        mode,
        as,
        start_nothing,
        consent: source.trim() ? { source, date: date || null } : null,
      },
    });
    // Another file was chosen meanwhile. This import is continued when its own file is chosen again.
    if (chosen.reader.current === reader) await store(created);
  }

  async function store(of: MemberImport) {
    setStored(of);
    let newest = of;
    const place = { ...params, memberImport: of.id };
    const note = (now: MemberImport) => {
      newest = now;
      setStored(now);
    };
    await run.sendAll({
      isCheck: false,
      total: of.total_rows,
      from: of.done_rows + 1,
      columns: of.columns,
      counts: of.counts,
      earlier: async () => (newest.counts.rejected > 0 ? refusedOf(of) : []),
      send: async ({ from, rows }) => {
        try {
          const answer = await call(ROWS, { params: place, body: { from, rows } });
          note(answer.import);
          return { results: answer.results, next: answer.import.done_rows + 1 };
        } catch (problem) {
          if (!(problem instanceof Problem && problem.status === 409)) throw problem;
          // Another tab may have sent these rows already.
          const now = await call('GET /api/email-lists/{list}/imports/{memberImport}', { params: place });
          const isAhead = now.done_rows + 1 > from && (now.state === 'running' || now.state === 'done');
          if (!isAhead) throw problem;
          note(now);
          return { results: [], next: now.done_rows + 1, counts: now.counts };
        }
      },
    });
    void invalidateAfter(ROWS, organization);
  }

  async function refusedOf({ id }: MemberImport): Promise<Refused[]> {
    const refused = new Map<number, Refused['errors']>();
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await call('GET /api/email-lists/{list}/imports/{memberImport}/errors', {
        params: { ...params, memberImport: id },
        query: cursor ? { cursor } : {},
      });
      for (const { row, ...error } of page.data) refused.set(row, [...(refused.get(row) ?? []), error]);
      cursor = page.next_cursor;
    }
    return [...refused].map(([row, errors]) => ({ row, errors }));
  }

  async function saveRefused() {
    const content = await chosen.reader.current?.ask('refusedFile', undefined);
    if (content) saveFile(`refused rows of ${file?.name.replace(/\.\w+$/, '') ?? 'the file'}.csv`, content);
  }

  return {
    chosen,
    choices,
    current,
    choose,
    reset,
    saveRefused,
    run: {
      ...run,
      check: () => start(check),
      begin: () => start(create),
      resume: () => start(async () => current && (await store(current))),
    },
  };
}

export type Import = ReturnType<typeof useImport>;

type Row = Batch['rows'][number];
/** Rows that add or change members, of so many. */
type Sample = { rows: Row[]; of: number };

// In UTF-16 code units, as for a batch.
const MOST_TEXT = 300_000;

/** Keeps as many of the rows as fit a call, each with the same chance (reservoir sampling). */
export function rowSample(random = Math.random) {
  const kept: Row[] = [];
  let of = 0;
  return {
    add(from: number, rows: Row[], results: RowOutcome[]) {
      for (const { row, status } of results) {
        const cells = rows[row - from];
        if (cells === undefined || (status !== 'created' && status !== 'updated')) continue;
        const place = of < MOST_ROWS_AT_ONCE ? of : Math.floor(random() * (of + 1));
        if (place < MOST_ROWS_AT_ONCE) kept[place] = cells;
        of++;
      }
    },
    drawn(): Sample {
      let text = 0;
      const rows = kept.filter(row => {
        text += JSON.stringify(row).length;
        return text < MOST_TEXT;
      });
      return { rows, of };
    },
  };
}
