import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Planted = { name: string; file: string; find: string; replace: string; caughtBy: string };

const WEBHOOKS = 'functions/core/list/unsubscribe-webhook';

/** Below each test the faults that it must find: file, name, and what of the source is replaced. */
const FAULTS = `
that has waited for more than four days fails without a post, and a redelivery of it is posted
${WEBHOOKS}/delivery.ts: a redelivery of something older than four days is refused as late
- const isLate = !isRedelivery && now
+ const isLate = now

is in pages of 500, and each begins after the last row of the previous one
${WEBHOOKS}/delivery.store.ts: of 502 failed deliveries one is lost at the end of a page
- next: failed[most - 1]?.id
+ next: failed[most]?.id

is one of a webhook and of three of an organization, until it is closed or its lease has ended
${WEBHOOKS}/posts.store.ts: a webhook has several posts at a time
- || posts.some(one => one.endsWith(\`#\${id}\`))
+ || id === ''
${WEBHOOKS}/posts.store.ts: an organization can occupy all processes
- posts.length >= MOST_POSTS
+ posts.length >= 100 * MOST_POSTS
${WEBHOOKS}/posts.store.ts: the post of a dead process stays open
- .filter(one => one > now.toISOString())
+ .filter(one => one !== now.toISOString())
${WEBHOOKS}/posts.store.ts: one lease replaces another
- unchanged(before, ['open'])
+ undefined

has the next free second of its webhook, and half a second of its host
${WEBHOOKS}/posts.store.ts: a host gets as many posts as there are webhooks
- most: 120,
+ most: 12_000,
${WEBHOOKS}/posts.store.ts: what is reserved is reserved again
- of PACES.slice(reserved)
+ of PACES

a webhook gets 60 posts a minute and a host 120, one at a time, and each delivery is made
${WEBHOOKS}/delivery.ts: a post that has ended stays open
- await postsStore.close(needs.table, place.organization, opened.lease);

is asked for less often by what waits longer, which costs a request each time
${WEBHOOKS}/delivery.ts: an endpoint is posted to in its pause
- if (closedUntil > now.toISOString())
+ if (closedUntil === now.toISOString())

is tried ten times in three days, always with the same message
${WEBHOOKS}/delivery.ts: what failed is not tried again
- await needs.queue([queuedOf(again, now)]);

is in a letter with all that were deactivated, at most one an hour
${WEBHOOKS}/delivery.ts: what finds its webhook busy is forgotten
- : requeue(needs, again, now.getTime() + BUSY_PAUSE);
+ : undefined;
${WEBHOOKS}/delivery.ts: each deactivation is a letter
- if (seconds > 0) {
+ if (seconds > 3_600) {
${WEBHOOKS}/delivery.ts: a letter tells again what the one before has told
- switched_off.at > since
+ switched_off.at !== since

is told of once by a letter that cannot be sent the first time
${WEBHOOKS}/delivery.ts: a letter that could not be sent counts as sent
- await postsStore.changeLetter(table, key, sent, before);

has one delivery at a time until three in a row were quick, also where it works and hangs in turns
${WEBHOOKS}/retries.ts: one quick delivery ends the pauses
- const QUICK_IN_A_ROW = 3;
+ const QUICK_IN_A_ROW = 1;

ends the subscription of its list alone, once
functions/core/recipient/unsubscribe.ts: who was unsubscribed by the provider is not offered the way back
- ['page', 'one_click', 'provider']
+ ['page', 'one_click']
`;

export const PLANTED: Planted[] = FAULTS.trim()
  .split('\n\n')
  .flatMap(group => {
    const [caughtBy = '', ...lines] = group.split('\n');
    const faults: Planted[] = [];
    for (const line of lines) {
      const [last] = faults.slice(-1);
      if (line.startsWith('- ') && last) last.find = line.slice(2);
      else if (line.startsWith('+ ') && last) last.replace = line.slice(2);
      else {
        const [file = '', name = ''] = line.split(/: (.*)/);
        faults.push({ file, name, find: '', replace: '', caughtBy });
      }
    }
    return faults;
  });

const planted = PLANTED.find(({ name }) => name === process.env.PLANTED);

/** The configuration of Vitest with the fault whose name is in PLANTED; the file itself does not change. */
export default {
  plugins: [
    {
      name: 'plant',
      enforce: 'pre',
      load: (id: string) =>
        planted && id === resolve(planted.file)
          ? readFileSync(id, 'utf8').replace(planted.find, () => planted.replace)
          : undefined,
    },
  ],
  test: {
    // Its key is the file on disk: a module without the fault would come from it, or one with the fault go into it.
    fsModuleCache: false,
    isolate: false,
    include: ['test/core/list/unsubscribe-webhook*.test.ts', 'test/core/sending/provider-event.test.ts'],
    exclude: ['**/*.proof.test.ts'],
  },
};
