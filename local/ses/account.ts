import * as z from 'zod/mini';
import { Refused } from '../aws-json.ts';
import type { Operation } from './operations.ts';

/** What the account may send; -1 a day is no limit. */
export const AccountInput = z.strictObject({
  max_send_rate: z._default(z.number().check(z.positive()), 10_000),
  max_24_hour_send: z._default(z.int().check(z.minimum(-1)), 10_000_000),
  sending_enabled: z._default(z.boolean(), true),
  enforcement_status: z._default(z.enum(['HEALTHY', 'PROBATION', 'SHUTDOWN']), 'HEALTHY'),
});
type Settings = z.output<typeof AccountInput>;

export type Account = ReturnType<typeof createAccount>;

const SECOND = 1_000;
const DAY = 86_400_000;

/** The quota of the account and how much of it is used, in simulated time. It is forgotten with the process. */
export function createAccount(now: () => number) {
  let settings: Settings = AccountInput.parse({});
  let taken: number[] = [];
  const countSince = (instant: number) => taken.length - 1 - taken.findLastIndex(time => time <= instant);
  const isPaused = () => !settings.sending_enabled || settings.enforcement_status === 'SHUTDOWN';
  const getAccount: Operation = {
    method: 'GET',
    path: /^\/v2\/email\/account$/,
    answer: () => ({
      DedicatedIpAutoWarmupEnabled: false,
      ProductionAccessEnabled: true,
      SendingEnabled: settings.sending_enabled,
      EnforcementStatus: settings.enforcement_status,
      SendQuota: {
        MaxSendRate: settings.max_send_rate,
        Max24HourSend: settings.max_24_hour_send,
        SentLast24Hours: countSince(now() - DAY),
      },
    }),
  };
  return {
    getAccount,
    set(next: Settings) {
      settings = next;
    },
    requireSending() {
      if (isPaused()) throw new Refused('SendingPausedException', 'Sending is paused for this account.');
    },
    /** Counts an email; returns why it is not taken. */
    take(at: number): string | undefined {
      const { max_send_rate: rate, max_24_hour_send: most } = settings;
      if ((taken[0] ?? at) < at - 2 * DAY) taken = taken.filter(time => time > at - DAY);
      if (most >= 0 && taken.length >= most && countSince(at - DAY) >= most)
        return 'ACCOUNT_DAILY_QUOTA_EXCEEDED';
      if (countSince(at - SECOND) >= rate) return 'ACCOUNT_THROTTLED';
      taken.push(at);
      return undefined;
    },
  };
}
