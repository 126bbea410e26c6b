export type Room = {
  files: string[];
  /** Of `files`, what belongs to another room. */
  except?: string[];
  /** Where the decisions of the room are tested. Of them, each mutant is run against those that reach it. */
  tests: string[];
  /** Percent of its mutants that a test must find. */
  goal: number;
  /** Kinds of mutants that are left out. */
  leaves?: string[];
};

const core = (room: string, tests: string[] = [], goal = 85): Room => ({
  files: [`functions/core/${room}/**/*.ts`],
  tests: [room, ...tests].map(folder => `test/core/${folder}/*.test.ts`),
  goal,
});

/** What calls may say: their schemas, without the emails and references beside them, whose tests take long. */
const contract = ['shared/*.ts'];

/** A room is also tested by the tests of rooms that use it. */
export const ROOMS: Record<string, Room> = {
  sending: core('sending', [], 92),
  due: {
    files: ['functions/core/automation/due/*.ts'],
    tests: ['test/core/automation/*.test.ts', 'test/core/sending/*.test.ts', 'test/model/*.test.ts'],
    goal: 92,
  },
  webhooks: {
    files: ['functions/core/list/unsubscribe-webhook/*.ts'],
    tests: [
      'test/core/list/{unsubscribe-webhook*,webhook-batches}.test.ts',
      'test/background/unsubscribe-webhook.test.ts',
      'test/http/unsubscribe-webhooks.test.ts',
    ],
    goal: 92,
  },
  reporting: core('reporting'),
  contract: { files: contract, tests: ['test/shared/*.test.ts'], goal: 85 },
  shared: {
    files: ['shared/**/*.ts'],
    except: contract,
    tests: ['test/shared/{email,reference,report}/*.test.ts'],
    goal: 85,
  },
  automation: {
    files: ['functions/core/automation/*.ts'],
    tests: [
      'test/core/automation/{active-automations,automation,sequence,trigger-rows}.test.ts',
      'test/core/content/{automation-content,content,eligibility,email-asset-set}.test.ts',
      'test/core/reporting/comparison.test.ts',
      'test/core/sending/{broadcast,sequence}*.test.ts',
      'test/core/sending/{existing,rescheduled}.test.ts',
      'test/http/{automations,broadcasts,dry-run,lists,sequences}.test.ts',
    ],
    goal: 85,
  },
  content: core('content'),
  list: {
    ...core('list'),
    except: ['functions/core/list/unsubscribe-webhook/*.ts'],
    tests: [
      'test/core/list/*.test.ts',
      'test/core/content/check.test.ts',
      'test/core/sending/{audience-count,import}.test.ts',
      'test/http/{list-members,member-import,v1}.test.ts',
    ],
  },
  organization: core('organization'),
  recipient: core('recipient', ['sending', 'list']),
  account: { ...core('account'), tests: ['test/core/account/*.test.ts', 'test/http/oauth.test.ts'] },
  storage: core('storage'),
  person: core('person', ['recipient', 'sending', 'list']),
  home: core('home', ['organization']),
  sources: core('sources', ['list', 'automation', 'sending']),
  operations: {
    ...core('operations'),
    tests: ['test/core/storage/*.test.ts', 'test/core/reporting/{conversions,rebuild}.test.ts'],
  },
  plan: { ...core('plan'), tests: ['test/core/plan/*.test.ts', 'test/http/plans.test.ts'] },
  mcp: { files: ['functions/mcp/*.ts'], tests: ['test/http/{mcp,oauth}.test.ts'], goal: 85 },
};

/** What takes seconds for each mutant, or only declares. */
export const LEFT_OUT = [
  'test/**/*.proof.test.ts',
  // On the engine.
  'test/core/storage/table.test.ts',
];

/** Mutants that behave as the original does, with the reason. `becomes`: this replacement alone. */
export const EQUIVALENT: { file: string; was: string; becomes?: string; why: string }[] = [];
