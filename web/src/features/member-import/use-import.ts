import { useEffect, useRef, useState } from 'react';
import type { ImportColumn, ImportedAs, MemberImport, NewImport } from '../../../../shared/member-import.ts';
import { invalidateAfter, useOrganizationCall, useOrganizationChange } from '../../lib/data.ts';
import { useOrganization } from '../../lib/organization.ts';
import { messageOf, Problem } from '../../lib/problem.ts';
import { saveFile } from '../../lib/save-file.ts';
import { registerUnsavedCheck } from '../../lib/unsaved.ts';
import { type ChosenColumn, chosenOf, importedColumns } from './chosen-columns.ts';
import type { ReadFile } from './reading/file.ts';
import type { Batch, Refused } from './reading/pass.ts';
import { openReader, type Reader } from './reading/reader.ts';
import { isUnfinished, sendRows, type Tally } from './run.ts';

const ROWS = 'POST /api/email-lists/{list}/imports/{memberImport}/rows';

/** What the user chooses besides the columns. */
export type ImportOptions = { mode: NewImport['mode']; as: ImportedAs; source: string; date: string };
const OPTIONS: ImportOptions = { mode: 'update', as: 'subscribed', source: '', date: '' };

/** A dry run or an import that is under way, or has ended. */
export type Running = {
  /** A dry run, where nothing is stored. */
  isCheck: boolean;
  state: 'running' | 'pausing' | 'paused' | 'ended';
  tally: Tally;
  total: number;
  /** When it began, and with which row, for its rate. */
  since: number;
  first: number;
  /** Seconds until the server takes more rows. */
  waiting: number | undefined;
  error?: string;
};

/** The import of a file into a list: reading it, a dry run, storing its rows, and continuing where it stopped. */
export function useImport(list: string, imports: MemberImport[] | undefined) {
  const call = useOrganizationCall();
  const change = useOrganizationChange();
  const organization = useOrganization()?.id;
  const reader = useRef<Reader>(undefined);
  const busy = useRef<Reader>(undefined);
  const abort = useRef<AbortController>(undefined);
  const [reading, setReading] = useState<{ name: string; share: number }>();
  const [file, setFile] = useState<ReadFile>();
  const [columns, setColumns] = useState<ChosenColumn[]>([]);
  const [options, setOptions] = useState(OPTIONS);
  const [running, setRunning] = useState<Running>();
  const [stored, setStored] = useState<MemberImport>();
  const [error, setError] = useState<string>();
  const isActive = running?.state === 'running' || running?.state === 'pausing';

  useEffect(
    () => () => {
      abort.current?.abort();
      reader.current?.close();
    },
    [],
  );
  useEffect(
    () =>
      registerUnsavedCheck(() => isActive && !running?.isCheck, {
        title: 'Leave while the import runs?',
        text: 'It stops at the row that it has reached. It continues from there when you choose the same file again.',
        stay: 'Stay',
      }),
    [isActive, running?.isCheck],
  );

  /** Of the chosen file: the import that it continues. */
  const unfinished = imports?.find(one => isUnfinished(one) && one.fingerprint === file?.fingerprint);
  const current = stored ?? unfinished;

  async function choose(chosen: File) {
    reset();
    const opened = openReader();
    reader.current = opened;
    setReading({ name: chosen.name, share: 0 });
    try {
      const known = await opened.ask('read', chosen, share => setReading({ name: chosen.name, share }));
      setFile(known);
      setColumns(known.columns.map(chosenOf));
    } catch (problem) {
      if (reader.current === opened) setError(messageOf(problem));
    } finally {
      if (reader.current === opened) setReading(undefined);
    }
  }

  function reset() {
    abort.current?.abort();
    reader.current?.close();
    reader.current = undefined;
    setFile(undefined);
    setReading(undefined);
    setRunning(undefined);
    setStored(undefined);
    setError(undefined);
  }

  /** What was checked before does not hold for other choices. */
  function choosing<Value>(set: (value: Value) => void) {
    return (value: Value) => {
      setRunning(undefined);
      set(value);
    };
  }

  type Run = {
    isCheck: boolean;
    total: number;
    from: number;
    counts?: MemberImport['counts'];
    columns: ImportColumn[];
    send: (batch: Batch) => ReturnType<Parameters<typeof sendRows>[0]['send']>;
    earlier?: Refused[];
  };

  async function go({ isCheck, total, from, counts, columns, send, earlier = [] }: Run) {
    const asked = reader.current;
    if (!asked) return;
    const control = new AbortController();
    abort.current = control;
    const set = (part: Partial<Running>) =>
      abort.current === control && setRunning(before => before && { ...before, ...part });
    setError(undefined);
    setRunning({
      ...{ isCheck, state: 'running', total, since: performance.now(), first: from, waiting: undefined },
      tally: { done: from - 1, counts: counts ?? NOTHING, errors: [] },
    });
    try {
      const start = () => asked.ask('start', { columns, earlier });
      await start();
      const tally = await sendRows({
        ...{ reader: asked, from, send, restart: start, signal: control.signal },
        ...(counts && { counts }),
        onTally: shown => set({ tally: shown }),
        onWait: waiting => set({ waiting }),
      });
      set({ state: 'ended', tally });
    } catch (problem) {
      set({
        state: 'paused',
        waiting: undefined,
        ...(!control.signal.aborted && { error: messageOf(problem) }),
      });
    }
  }

  /** One at a time for a file: two would have its rows between them. */
  async function alone(action: () => Promise<void>) {
    const asked = reader.current;
    if (busy.current === asked) return;
    busy.current = asked;
    try {
      await action();
    } catch (problem) {
      if (reader.current === asked) setError(messageOf(problem));
    } finally {
      if (busy.current === asked) busy.current = undefined;
    }
  }

  const params = { list };

  const check = () => alone(checkAll);
  const start = () => alone(create);

  async function checkAll() {
    if (!file) return;
    const how = { columns: importedColumns(columns), mode: options.mode, as: options.as };
    await go({
      ...{ isCheck: true, total: file.rows, from: 1, columns: how.columns },
      send: async ({ from, rows }) => {
        const body = { ...how, from, rows };
        const { results } = await call('POST /api/email-lists/{list}/imports/dry-run', { params, body });
        return { results, next: from + rows.length };
      },
    });
  }

  /** Creates an import, and stores the rows of the file. */
  async function create() {
    if (!file) return;
    const { mode, as, source, date } = options;
    const created = await change('POST /api/email-lists/{list}/imports', {
      params,
      body: {
        ...{ file_name: file.name, size: file.size, fingerprint: file.fingerprint, total_rows: file.rows },
        ...{ columns: importedColumns(columns), mode, as },
        consent: source.trim() ? { source, date: date || null } : null,
      },
    });
    await store(created);
  }

  /** Stores the rows of an import from the next one on. */
  async function store(of: MemberImport) {
    setStored(of);
    const place = { ...params, memberImport: of.id };
    const earlier = of.counts.rejected > 0 ? await refusedOf(of) : [];
    await go({
      ...{ isCheck: false, total: of.total_rows, from: of.done_rows + 1, columns: of.columns },
      ...{ counts: of.counts, earlier },
      send: async ({ from, rows }) => {
        try {
          const answer = await call(ROWS, { params: place, body: { from, rows } });
          setStored(answer.import);
          return { results: answer.results, next: answer.import.done_rows + 1 };
        } catch (problem) {
          if (!(problem instanceof Problem && problem.status === 409)) throw problem;
          // Another tab may have sent these rows.
          const now = await call('GET /api/email-lists/{list}/imports/{memberImport}', { params: place });
          if (!isUnfinished(now) || now.done_rows + 1 === from) throw problem;
          setStored(now);
          return { results: [], next: now.done_rows + 1 };
        }
      },
    });
    void invalidateAfter(ROWS, organization);
  }

  /** Why rows of an import were refused before it stopped. */
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

  function pause() {
    abort.current?.abort();
    setRunning(before => before && { ...before, state: 'pausing' });
  }

  async function saveRefused() {
    const content = await reader.current?.ask('refusedFile', undefined);
    if (content) saveFile(`refused rows of ${file?.name.replace(/\.\w+$/, '') ?? 'the file'}.csv`, content);
  }

  return {
    ...{ reading, file, columns, options, running, current, unfinished, error, isActive },
    ...{ choose, reset, check, start, pause, saveRefused },
    setColumns: choosing(setColumns),
    setOptions: choosing(setOptions),
    resume: () => current && void alone(() => store(current)),
  };
}

const NOTHING: MemberImport['counts'] = {
  ...{ created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 },
  stays_unsubscribed: 0,
};
