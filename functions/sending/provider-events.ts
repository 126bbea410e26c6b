// Purpose: store the provider's events about emails, if they are signed for the list of the path.
// Safe to run twice: what is stored once changes nothing the second time, and a repetition finishes what was left undone.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { receive } from '#core/sending/provider-event.ts';
import { described, log } from '../platform/log.ts';
import { now } from '../platform/runtime.ts';
import { secret } from '../platform/secrets.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';
import { mailgun } from '../providers/mailgun/mailgun.ts';

// Not every stage has one.
const STAGE_KEY = process.env.PROVIDER_SIGNING_KEY_SECRET;
const MOST_BYTES = 256 * 1024;
// To Mailgun this is a refusal, after which it does not repeat the call:
// https://help.mailgun.com/hc/en-us/articles/202236504-Webhooks
const NOT_ACCEPTABLE = 406;

/** After a 500 Mailgun repeats the call. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  try {
    return await answer(event);
  } catch (error) {
    log.error('an event of the provider was not stored', { error: described(error) });
    return answered(500, 'The event could not be stored. Please send it again.');
  }
}

async function answer({
  pathParameters: { organization = '', list = '' } = {},
  headers,
  body = '',
  isBase64Encoded,
}: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MOST_BYTES) return answered(413, 'An event has at most 256 KB.');
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return answered(415, 'Send the event as application/json.');
  }
  const needs = {
    table,
    vault,
    provider: mailgun,
    now: now(),
    stageKey: async () => (STAGE_KEY === undefined ? undefined : secret(STAGE_KEY, now())),
  };
  const result = await receive(needs, { organization, list }, parsed(bytes));
  log.info('an event of the provider', { result });
  return result === 'refused'
    ? answered(NOT_ACCEPTABLE, 'The event is not signed for this list, or too old.')
    : answered(200, 'Thank you.');
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

const answered = (statusCode: number, message: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({ message }),
});
