import {
  GetAccountCommand,
  type GetAccountResponse,
  SESv2Client,
  SendBulkEmailCommand,
  type SendBulkEmailRequest,
} from '@aws-sdk/client-sesv2';
import { env, withTimeout } from '#functions/platform/runtime.ts';
import { POST_TIMEOUT } from '../connection.ts';

/** What the product asks of SES. An error has the name of the exception, and the status of the answer in its metadata. */
export type SesClient = {
  sendBulkEmail: (request: SendBulkEmailRequest) => Promise<unknown>;
  getAccount: () => Promise<GetAccountResponse>;
};

/** Where the emails of an organization belong in the account of its stage. */
export type Place = { configurationSet: string; tenant: string };

export const placeOf = (organization: number): Place => ({
  configurationSet: env('SES_CONFIGURATION_SET'),
  tenant: `${env('SES_TENANTS')}-${organization}`,
});

const ACCOUNT_TIMEOUT = 3_000;

// Neither is retried: if a response was lost, the emails may have been sent, and the pace is asked for again in any case.
const clientWith = (milliseconds: number) =>
  new SESv2Client({ maxAttempts: 1, ...withTimeout(milliseconds) });
const sending = clientWith(POST_TIMEOUT);
const asking = clientWith(ACCOUNT_TIMEOUT);

export const client: SesClient = {
  sendBulkEmail: request =>
    sending.send(new SendBulkEmailCommand(request), { abortSignal: AbortSignal.timeout(POST_TIMEOUT) }),
  getAccount: () => asking.send(new GetAccountCommand({})),
};
