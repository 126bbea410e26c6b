import { type ClipboardEvent, type SubmitEvent, useRef, useState } from 'react';
import { CODE_LENGTH, CODE_USED_UP } from '../../../../shared/login-code.ts';
import { api } from '../../lib/api.ts';
import { messageOf, Problem } from '../../lib/problem.ts';
import { readCode } from './code.ts';
import { ResendCode } from './resend-code.tsx';

type Props = { email: string; onSignedIn: (token: string) => void; onOtherEmail: () => void };

export function CodeStep({ email, onSignedIn, onOtherEmail }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const usedUp = error === CODE_USED_UP;

  function paste(event: ClipboardEvent) {
    // Otherwise maxLength would cut off a pasted code that contains spaces.
    event.preventDefault();
    setCode(readCode(event.clipboardData.getData('text')));
  }

  function showResent(failure: string | undefined) {
    setError(failure);
    if (failure) return;
    setCode('');
    field.current?.focus();
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const { token } = await api('POST /api/login/verify', { body: { email, code } });
      onSignedIn(token);
    } catch (failure) {
      setBusy(false);
      setError(messageFor(failure));
      field.current?.focus();
      field.current?.select();
    }
  }

  return (
    <form onSubmit={submit} aria-busy={busy}>
      <p className="note">
        We sent a code to <strong>{email}</strong>. It works once, within 10 minutes.
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
        onChange={event => setCode(readCode(event.target.value))}
        aria-invalid={error !== undefined}
        aria-describedby="code-error"
      />
      <p id="code-error" className="error" role="alert">
        {error}
      </p>
      <button type="submit" className="primary" disabled={busy || usedUp || code.length < CODE_LENGTH}>
        {busy ? 'Verifying...' : 'Verify Code'}
      </button>
      <div className="ways">
        <ResendCode email={email} offered={usedUp} onResent={showResent} />
        <button type="button" onClick={onOtherEmail}>
          Use a different email
        </button>
      </div>
    </form>
  );
}

/** What the server says of the code; any other failure shows its own message. */
const messageFor = (failure: unknown) =>
  (failure instanceof Problem && failure.fields.code?.[0]) || messageOf(failure);
