import { Box } from '@chakra-ui/react';
import { Eye } from 'lucide-react';
import { useContext, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '#web/components/button.tsx';
import { withoutSubmit } from '#web/components/without-submit.ts';
import { EmailPreview } from './email-preview.tsx';
import type { PreviewProps } from './preview-content.tsx';
import { PreviewPlace } from './preview-place.ts';

/**
 * Previews the input of a form as an email, in the place that `WithPreview` provides. On narrow pages, a button opens it
 * within the form, above its buttons.
 */
export function PreviewPane(props: PreviewProps) {
  const place = useContext(PreviewPlace);
  const isWide = useSyncExternalStore(subscribe, () => WIDE.matches);
  const [isOpen, setOpen] = useState(false);
  if (isWide) return place && createPortal(<EmailPreview {...props} />, place);
  return (
    <Box as="section" aria-label="Preview" mt="4" onKeyDown={withoutSubmit}>
      <Button width="full" mb="3" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Eye aria-hidden />
        {isOpen ? 'Hide preview' : 'Show preview'}
      </Button>
      {isOpen && <EmailPreview {...props} />}
    </Box>
  );
}

/** The width from which `WithPreview` has two columns. */
const WIDE = matchMedia('(min-width: 80rem)');

function subscribe(listener: () => void) {
  WIDE.addEventListener('change', listener);
  return () => WIDE.removeEventListener('change', listener);
}
