import { useEffect, useState } from 'react';
import { requestCode } from './request-code.ts';

const WAIT_SECONDS = 30;

type Props = {
  email: string;
  /** Ends the countdown. */
  offered: boolean;
  onResent: (failure: string | undefined) => void;
};

/** Requests another code, after a countdown that gives the first one time to arrive. */
export function ResendCode({ email, offered, onResent }: Props) {
  const [wait, setWait] = useState(WAIT_SECONDS);
  const [notice, setNotice] = useState('');

  const waiting = wait > 0;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => setWait(left => Math.max(0, left - 1)), 1000);
    return () => clearInterval(timer);
  }, [waiting]);

  useEffect(() => {
    if (offered) setWait(0);
  }, [offered]);

  async function resend() {
    setWait(WAIT_SECONDS);
    setNotice('');
    const failure = await requestCode(email);
    onResent(failure);
    if (failure) setWait(0);
    else setNotice('Check your inbox: the newest code is the one that works.');
  }

  return (
    <>
      <button type="button" onClick={resend} disabled={waiting}>
        {waiting ? `Resend code in ${wait} s` : 'Resend code'}
      </button>
      <p role="status">{notice}</p>
    </>
  );
}
