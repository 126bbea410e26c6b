import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from '../lib/toasts.ts';
import { Button } from './button.tsx';

const SAID_FOR = 2000;

type Props = { text: string; label?: string; look?: 'plain' | 'quiet' };

/** Copies a text, and says so where it was pressed. */
export function CopyButton({ text, label = 'Copy', look = 'plain' }: Props) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast('The browser did not allow copying. Select the text and copy it by hand.', 'error', 6000);
    }
  }

  return (
    <Button look={look} onClick={copy}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}
