import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Clock } from '../clock.ts';
import { STACK_TIME } from '../gateway/gateway.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Live } from '../live.ts';
import type { EventName } from '../mailgun/events.ts';
import type { Mailgun } from '../mailgun/mailgun.ts';
import { Mistake } from '../mistake.ts';
import type { Timekeeper } from '../timekeeper.ts';

export type Driver = ReturnType<typeof newDriver>;
type Request = { method: string; path: string; headers?: Record<string, string>; body?: string };

export type Needs = {
  clock: Pick<Clock, 'now'>;
  timekeeper: Pick<Timekeeper, 'play'>;
  live: Pick<Live, 'answer' | 'inOneBatch'>;
  inbox: Inbox;
  mailgun: Pick<Mailgun, 'mailbox' | 'report'>;
  signal: AbortSignal;
};

const ROOT = resolve(import.meta.dirname, '../..');

/** Drives the running stack as its users do, and moves its clock. It creates the demo data. */
export function newDriver({ clock, timekeeper, live, inbox, mailgun, signal }: Needs) {
  let delivered = 0;
  return {
    now: clock.now,
    /** Moves the clock, and waits for all work that is due until then. */
    async advance(to: number) {
      await timekeeper.play(to);
      signal.throwIfAborted();
    },
    inOneBatch: live.inOneBatch,
    /** Sends a request to the product, at the time of the clock. */
    async request({ method, path, headers, body = '' }: Request) {
      const answered = await live.answer({
        method,
        path,
        query: '',
        headers: { host: '127.0.0.1', ...headers, [STACK_TIME]: '1' },
        ip: '127.0.0.1',
        body: Buffer.from(body),
      });
      signal.throwIfAborted();
      return answered;
    },
    /** The emails that the provider has accepted since the last call. */
    delivered() {
      const { count, messages } = mailgun.mailbox.after(delivered);
      delivered = count;
      return messages;
    },
    latest: async (to: string) => (await inbox.messages(to, 1))[0],
    /** Makes the provider report an event about an email. */
    async report(send: string, event: EventName) {
      const report = await mailgun.report(send, event);
      signal.throwIfAborted();
      const isTaken = report?.deliveries.every(({ status }) => status === 200);
      if (!isTaken)
        throw new Mistake(
          `The product did not take the event ${event}: ${JSON.stringify(report?.deliveries)}`,
        );
    },
  };
}

/** Allows a domain to register, with the command that an operator would use. */
export async function allowDomain(domain: string, env: Record<string, string>): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'bin/whitelist.ts'), 'add', domain], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
}
