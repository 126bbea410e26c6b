import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from '../lib/toasts.ts';
import { Button } from './button.tsx';

const FEEDBACK_DURATION = 2000;

type Props = {
  /** Undefined while it is loading. */
  text: string | undefined;
  label?: string;
  variant?: 'outline' | 'ghost';
  'data-autofocus'?: boolean;
};

/**
 * Copies a text to the clipboard, and confirms that in its own label. Chakra's Clipboard confirms it even if the browser has
 * refused.
 */
export function CopyButton({ text = '', label = 'Copy', variant = 'outline', ...rest }: Props) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_DURATION);
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
    <Button variant={variant} disabled={!text} onClick={copy} {...rest}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}
