import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from '../lib/toasts.ts';
import { Button } from './button.tsx';

const FEEDBACK_DURATION = 2000;

type Props = {
  text: string | undefined;
  label?: string;
  variant?: 'outline' | 'ghost' | 'solid';
  'data-autofocus'?: boolean;
};

/** Returns false, and says why, if the browser has refused. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast('The browser did not allow copying. Select the text and copy it by hand.', 'error', 6000);
    return false;
  }
}

/** Confirms in its own label. Chakra's Clipboard would confirm even if the browser has refused. */
export function CopyButton({ text = '', label = 'Copy', variant = 'outline', ...rest }: Props) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_DURATION);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (await copyText(text)) setCopied(true);
  }

  return (
    <Button variant={variant} disabled={!text} onClick={copy} {...rest}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}
