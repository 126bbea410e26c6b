import { DOMAIN_NOT_ALLOWED } from '#shared/login-code.ts';
import { api } from '#web/lib/api.ts';
import { Problem } from '#web/lib/problem.ts';

const ALPHA_ONLY =
  'Alpha access only: Currently, only whitelisted addresses are allowed. Contact us to request alpha access.';
const NOT_SENT = 'Failed to send login code. Please try again.';

/** Requests a login code. Returns false if it is not sent by email, but handed out by the operator. */
export async function requestCode(email: string): Promise<boolean> {
  try {
    const { mailed } = await api('POST /api/login/request', { body: { email } });
    return mailed;
  } catch (problem) {
    const isRefused = problem instanceof Problem && problem.message.includes(DOMAIN_NOT_ALLOWED);
    throw new Problem(isRefused ? ALPHA_ONLY : NOT_SENT);
  }
}
