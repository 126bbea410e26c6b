import { type ClipboardEvent, type SubmitEvent, useRef, useState } from 'react';
import { CODE_LENGTH, CODE_USED_UP } from '#shared/login-code.ts';
import { api } from '#web/lib/api.ts';
import { Problem } from '#web/lib/problem.ts';
import { useAction } from '#web/lib/use-action.ts';
import { readCode } from './code.ts';
import { requestCode } from './request-code.ts';
import { ResendCode } from './resend-code.tsx';

type Props = {
  email: string;
  isMailed: boolean;
  onSignedIn: (token: string) => void;
  onOtherEmail: () => void;
};

const SENT = 'We sent a code to';
const HANDED_OUT = 'No emails are sent from here. Enter the code that you were given for';

export function CodeStep({ email, isMailed, onSignedIn, onOtherEmail }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef('');
  const [code, setCode] = useState('');
  const [isDone, setDone] = useState(false);
  const verification = useAction(async (entered: string) => {
    request.clearError();
    const { token } = await verify(email, entered);
    onSignedIn(token);
    setDone(true);
  });
  const request = useAction(() => requestCode(email));
  const error = verification.error ?? request.error;
  const usedUp = error === CODE_USED_UP;
  // Stays busy until the next document is loaded.
  const isBusy = verification.isRunning || isDone;

  function paste(event: ClipboardEvent) {
    // Otherwise maxLength would cut off a pasted code that contains spaces.
    event.preventDefault();
    enter(event.clipboardData.getData('text'));
  }

  /** Submits when the last character is entered. */
  function enter(typed: string) {
    const entered = readCode(typed);
    setCode(entered);
    latest.current = entered;
    // After too many attempts, this code cannot be used any more.
    if (usedUp) return;
    verification.clearError();
    request.clearError();
    if (entered.length === CODE_LENGTH && !isBusy) void check(entered);
  }

  async function resend() {
    if (!(await request.run())) return false;
    verification.clearError();
    setCode('');
    latest.current = '';
    field.current?.focus();
    return true;
  }

  async function check(entered: string): Promise<void> {
    if (await verification.run(entered)) return;
    // It is being corrected.
    const typed = latest.current;
    if (typed !== entered) return typed.length === CODE_LENGTH ? check(typed) : undefined;
    field.current?.focus();
    field.current?.select();
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!isBusy) void check(code);
  }

  return (
    <form onSubmit={submit} aria-busy={isBusy}>
      <p className="note">
        {isMailed ? SENT : HANDED_OUT} <strong>{email}</strong>. It works once, within 10 minutes.
      </p>
      <label htmlFor="code">Login code</label>
      <input
        ref={field}
        id="code"
        name="code"
        className="code"
        type="text"
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        placeholder="Enter 6-digit code"
        maxLength={CODE_LENGTH}
        // biome-ignore lint/a11y/noAutofocus: the step replaces the one that had the focus
        autoFocus
        required
        value={code}
        onPaste={paste}
        onChange={event => enter(event.target.value)}
        aria-invalid={error !== undefined}
        aria-describedby="code-error"
      />
      <p id="code-error" className="error" role="alert">
        {error}
      </p>
      <button type="submit" className="primary" disabled={isBusy || usedUp || code.length < CODE_LENGTH}>
        {isBusy ? 'Verifying...' : 'Verify Code'}
      </button>
      <div className="ways">
        {isMailed && <ResendCode offered={usedUp} resend={resend} />}
        <button type="button" onClick={onOtherEmail}>
          Use a different email
        </button>
      </div>
    </form>
  );
}

/** Verifies a code. Fails with the server's message about the code, or with a general message. */
const verify = (email: string, code: string) =>
  api('POST /api/login/verify', { body: { email, code } }).catch((problem: unknown) => {
    throw (
      (problem instanceof Problem && problem.fields.code?.[0] && new Problem(problem.fields.code[0])) ||
      problem
    );
  });
