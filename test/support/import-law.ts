import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

const only = (name: string, from: string, ...allowed: string[]): IForbiddenRuleType => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
});
const never = (name: string, from: object, to: object): IForbiddenRuleType => ({
  name,
  severity: 'error',
  from,
  to,
});

// Of `net`, only its lists of addresses may be used.
const NODE = '^(node:)?(crypto|net|timers/promises|url|util|zlib|buffer)$';

/** Core, bottom to top. Modules beside the folders are the ground. */
const FLOORS = [
  ['storage'],
  ['account'],
  ['sources'],
  ['organization', 'recipient'],
  ['list'],
  ['automation'],
  ['content'],
  ['sending'],
  ['reporting'],
  ['person'],
  ['home', 'plan'],
  ['operations'],
];

const goesDown = (at: number): IForbiddenRuleType =>
  never(
    'an import goes down a floor or stays on its own',
    { path: `^functions/core/(${FLOORS[at]?.join('|')})/` },
    { path: `^functions/core/(${FLOORS.slice(at).flat().join('|')})/`, pathNot: '^functions/core/$1/' },
  );

const law: IForbiddenRuleType[] = [
  only('shared reads zod alone', '^shared/(?!email/)', '^shared/', '^node_modules/zod/'),
  only('emails are rendered alike everywhere', '^shared/email/', '^shared/', '^node_modules/markdown-it/'),
  only(
    'core reads shared and itself',
    '^functions/core/(?!.*\\.store\\.ts$)',
    '^functions/core/',
    '^shared/',
    NODE,
    '^node_modules/(probe-image-size/sync\\.js|isbot/index\\.mjs|mjml-browser/lib/index\\.js)$',
  ),
  only(
    'stores add the document commands',
    '^functions/core/(?!storage/table\\.).*\\.store\\.ts$',
    '^functions/core/',
    '^shared/',
    NODE,
    '^node_modules/@aws-sdk/lib-dynamodb/',
  ),
  only(
    'the store of the table also reads attributes as they are answered',
    '^functions/core/storage/table\\.',
    '^functions/core/',
    NODE,
    '^node_modules/@aws-sdk/(lib|client)-dynamodb/',
  ),
  ...FLOORS.map((_, at) => goesDown(at)),
  never(
    'platform knows SDKs, never core',
    { path: '^functions/platform/' },
    { path: '^functions/(?!platform/)|^(lib|local|web)/' },
  ),
  never(
    'only handlers import a provider',
    { path: '^(functions/(?!(api|background|sending|providers)/)|shared/|lib/|web/|local/)' },
    { path: '^functions/providers/' },
  ),
  never(
    'a provider knows what core asks of it, and no handler',
    { path: '^functions/providers/' },
    { path: '^functions/(?!providers/|platform/|core/provider\\.ts)|^(lib|local|web)/' },
  ),
  never(
    'http knows no handler',
    { path: '^functions/http/' },
    { path: '^functions/(?!http/|core/|platform/)|^(lib|local|web)/' },
  ),
  never(
    'records of the stream know core alone',
    { path: '^functions/stream/(records|contributions)\\.' },
    { path: '^functions/(?!stream/records|core/)|^(lib|local|web)/' },
  ),
  never(
    'handlers do not know each other',
    { path: '^functions/(api|background|sending|stream|tracking)/([^/.]+)' },
    {
      path: '^functions/(api|background|sending|stream|tracking)/',
      pathNot: '^functions/($1/$2|stream/(records|contributions))\\.',
    },
  ),
  never('handlers know no infrastructure', { path: '^functions/' }, { path: '^(bin|lib|local|web|test)/' }),
  never(
    'infrastructure names its functions by path',
    { path: '^lib/' },
    { path: '^(functions|local|web)/', pathNot: '^functions/core/storage/items/' },
  ),
  never(
    'an import goes down a floor or stays on its own',
    { path: '^functions/core/[^/]+\\.ts$' },
    { path: '^functions/core/[^/]+/' },
  ),
  only(
    'the table of items is data alone',
    '^functions/core/storage/items/',
    '^functions/core/storage/items/',
  ),
  never(
    'the local stack knows the template, not core',
    { path: '^local/' },
    { path: '^functions/(?!platform/)|^(lib|bin)/' },
  ),
  never('the web reads the contract alone', { path: '^web/src/' }, { path: '^(functions|lib|local|bin)/' }),
  never(
    'shared pieces know no noun and no call of the API',
    { path: '^web/src/components/' },
    { path: '^web/src/(entities|features|app)/|^web/src/lib/(api|data)\\.ts$' },
  ),
  never('lib knows no component', { path: '^web/src/lib/' }, { path: '^web/src/(?!lib/)' }),
  never(
    'lib renders nothing',
    { path: '^web/src/lib/' },
    { path: '\\.tsx$|^node_modules/(@chakra-ui|react-dom|lucide-react)/' },
  ),
  never('entities know no feature', { path: '^web/src/entities/' }, { path: '^web/src/(features|app)/' }),
  never(
    'entities do not know each other',
    { path: '^web/src/entities/([^/]+)/' },
    { path: '^web/src/entities/[^/]+/', pathNot: '^web/src/entities/$1/' },
  ),
  never('features know no app', { path: '^web/src/features/' }, { path: '^web/src/app/' }),
  never(
    'features do not know each other',
    { path: '^web/src/features/([^/]+)/' },
    { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
  ),
  only(
    'the model describes what is mailed without core',
    '^test/model/',
    '^test/model/',
    '^shared/',
    '^test/support/remembered\\.ts$',
    NODE,
  ),
  // The files of the model name each other's types.
  never('nothing imports in a circle', { pathNot: '^test/model/' }, { circular: true }),
  never('nothing imports what is not there', {}, { couldNotResolve: true, pathNot: '^virtual:' }),
];

/** The violations of the import rules below `baseDir`, one per line. */
export async function violations(paths: string[], baseDir = process.cwd()): Promise<string[]> {
  const { output } = await cruise(paths, {
    baseDir,
    ruleSet: { forbidden: law },
    validate: true,
    tsPreCompilationDeps: true,
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Otherwise it looks for the same files again every few seconds.
    enhancedResolveOptions: {
      cachedInputFileSystem: { cacheDuration: 600_000 },
      exportsFields: ['exports'],
      conditionNames: ['import', 'module', 'default'],
    },
  });
  return (output as ICruiseResult).summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from} → ${to}`,
  );
}
