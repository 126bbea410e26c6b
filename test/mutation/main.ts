// npm run mutate -- ROOM [FILE…] [--again]
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EQUIVALENT, LEFT_OUT, ROOMS, type Room } from './rooms.ts';

type Mutant = {
  mutatorName: string;
  replacement: string;
  status: string;
  location: Record<'start' | 'end', { line: number; column: number }>;
};

const PAGE = 'docs/mutation.md';
const DIRECTORY = resolve('.tmp/mutation');

const args = process.argv.slice(2);
const [name = '', ...parts] = args.filter(arg => arg !== '--again');
const room = ROOMS[name];
if (!room) {
  console.error(`Usage: npm run mutate -- ${Object.keys(ROOMS).join('|')} [FILE…] [--again]`);
  process.exit(2);
}
const leftOut = new Set(globSync([...LEFT_OUT, ...(room.except ?? [])]));
const found = (patterns: string[]) => globSync(patterns).filter(file => !leftOut.has(file));
const files = found(room.files)
  .filter(file => parts.length === 0 || parts.some(part => file.includes(part)))
  .toSorted();
const tests = found(room.tests);
const report = mutate(room, files, tests);
const rows = Object.entries(report).flatMap(([file, { source, mutants }]) =>
  mutants.map(mutant => ({ file, mutant, was: textAt(source, mutant.location) })),
);
const counted = rows.filter(
  ({ mutant }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(mutant.status),
);
const alive = counted.filter(({ mutant }) => ['Survived', 'NoCoverage'].includes(mutant.status));
const listed = (found: (typeof rows)[number]) =>
  EQUIVALENT.find(
    ({ file, was, becomes }) =>
      found.file.endsWith(file) &&
      flat(found.was) === was &&
      (becomes === undefined || flat(found.mutant.replacement) === becomes),
  );
const survivors = alive.filter(found => !listed(found));
const equivalent = alive.length - survivors.length;
for (const { file, mutant, was } of survivors) {
  const { line, column } = mutant.location.start;
  const isReached = mutant.status === 'Survived' ? '' : ' (no test reaches it)';
  console.log(`${file}:${line}:${column}${isReached}\n  ${flat(was)}\n  → ${flat(mutant.replacement)}`);
}
const used = new Set(alive.map(listed));
const stale = EQUIVALENT.filter(entry => files.some(file => file.endsWith(entry.file)) && !used.has(entry));
for (const { file, was } of stale) console.log(`Not equivalent any more, or gone: ${file}: ${was}`);

const rated = counted.length - equivalent;
const killed = rated - survivors.length;
const score = rated === 0 ? 100 : (killed / rated) * 100;
const row = [
  name,
  counted.length,
  killed,
  equivalent,
  survivors.length,
  `${score.toFixed(1)}%`,
  `${room.goal}%`,
];
console.log(`| ${row.join(' | ')} |`);
if (parts.length === 0) writeRow(name, `| ${row.join(' | ')} |`);
process.exitCode = score < room.goal || stale.length > 0 ? 1 : 0;

function mutate(room: Room, files: string[], tests: string[]) {
  mkdirSync(DIRECTORY, { recursive: true });
  const config = `${DIRECTORY}/${name}.json`;
  const fileName = `${DIRECTORY}/${name}-report.json`;
  const options = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    mutate: files,
    mutator: { excludedMutations: room.leaves ?? [] },
    // The product is copied, its packages are linked.
    ignorePatterns: ['/dist', '/.tmp', '/cdk.out', '/.local', '/reports'],
    tempDirName: '.tmp/mutation/sandboxes',
    disableTypeChecks: false,
    // Stryker would rewrite paths of tsconfig.json with an API that TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName },
    incremental: true,
    incrementalFile: `${DIRECTORY}/${name}-incremental.json`,
    force: !args.includes('--again'),
    concurrency: Number(process.env.MUTATE_WORKERS ?? 2),
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 60,
    timeoutFactor: 4,
    allowConsoleColors: false,
  };
  writeFileSync(config, JSON.stringify(options));
  const env = { ...process.env, MUTATE_TESTS: tests.join(','), TMPDIR: DIRECTORY };
  const { status } = spawnSync('node_modules/.bin/stryker', ['run', config], { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
  const read: { files: Record<string, { source: string; mutants: Mutant[] }> } = JSON.parse(
    readFileSync(fileName, 'utf8'),
  );
  return read.files;
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  return lines.join('\n');
}

function flat(code: string): string {
  return code.replaceAll(/\s+/g, ' ').trim();
}

/** Rows of other rooms stay as they are. */
function writeRow(name: string, row: string) {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const isRow = (line: string) => Object.keys(ROOMS).includes(/^\| (\S+) \|/.exec(line)?.[1] ?? '');
  const kept = lines.filter(line => isRow(line) && !line.startsWith(`| ${name} |`));
  const head = lines.findIndex(line => line.startsWith('|---')) + 1;
  const places = Object.keys(ROOMS);
  const placeOf = (line: string) => places.indexOf(line.split(' ')[1] ?? '');
  const rows = [...kept, row].toSorted((a, b) => placeOf(a) - placeOf(b));
  writeFileSync(
    PAGE,
    [...lines.slice(0, head), ...rows, ...lines.slice(head).filter(line => !isRow(line))].join('\n'),
  );
}
