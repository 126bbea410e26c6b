import type { SesClient } from '#functions/providers/ses/client.ts';
import { createSes } from '#functions/providers/ses/ses.ts';
import type { Environment } from './environment.ts';
import { messageInBulk } from './provider.ts';
import type { Process } from './scheduler.ts';

/** Its exceptions, by the status of their answers. */
const EXCEPTIONS: Record<number, string> = {
  400: 'BadRequestException',
  401: 'AccessDeniedException',
  403: 'AccountSuspendedException',
  404: 'NotFoundException',
  429: 'TooManyRequestsException',
  500: 'InternalFailure',
};
const TIMEOUT = 20_000;
const ACCOUNT_TIMEOUT = 3_000;

/** The adapter of the product, with a client that asks the simulated SES. */
export function sesOf({ provider, scheduler, ses }: Environment, process: Process) {
  const inTime = async <T>(asked: Promise<T>, timeout: number): Promise<T> => {
    const answer = await Promise.race([asked, scheduler.sleep<undefined>(process, timeout)]);
    if (answer === undefined) throw new Error('SES did not answer in time');
    return answer;
  };
  const client: SesClient = {
    async sendBulkEmail(request) {
      const answer = await inTime(provider.post(process, messageInBulk(request)), TIMEOUT);
      provider.seen.add(answer);
      const { status, results } = answer;
      if (results) return { BulkEmailEntryResults: results.map(Status => ({ Status })) };
      const metadata = { $metadata: { httpStatusCode: status } };
      throw Object.assign(new Error('No'), metadata, { name: EXCEPTIONS[status] });
    },
    getAccount: () =>
      inTime(
        scheduler.effect(process, 'account', () => ses.account()),
        ACCOUNT_TIMEOUT,
      ),
  };
  return createSes(client, {
    placeOf: organization => ({ configurationSet: 'letterflow', tenant: String(organization) }),
    pause: milliseconds => scheduler.sleep(process, milliseconds),
  });
}
