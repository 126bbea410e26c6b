import { DOMAIN_NOT_ALLOWED } from '../../../../shared/login-code.ts';
import { api } from '../../lib/api.ts';
import { Problem } from '../../lib/problem.ts';

const ALPHA_ONLY =
  'Alpha access only: Currently, only whitelisted addresses are allowed. Contact us to request alpha access.';
const NOT_SENT = 'Failed to send login code. Please try again.';

/** Requests a login code; answers an error message if that failed. */
export async function requestCode(email: string): Promise<string | undefined> {
  try {
    await api('POST /api/login/request', { body: { email } });
    return undefined;
  } catch (error) {
    return error instanceof Problem && error.message.includes(DOMAIN_NOT_ALLOWED) ? ALPHA_ONLY : NOT_SENT;
  }
}
