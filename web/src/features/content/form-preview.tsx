import { Box, chakra } from '@chakra-ui/react';
import { Eye } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useFormContext } from 'react-hook-form';
import { Button } from '#web/components/button.tsx';
import { withoutSubmit } from '#web/components/field.tsx';
import { EmailPreview } from '#web/entities/email/email-and-more.tsx';
import type { PreviewProps } from '#web/entities/email/email-preview.tsx';
import { useMedia } from '#web/lib/use-media.ts';

/** The preview is rendered outside of the form, so that Enter in its inputs does not submit the form. */
const PreviewPlace = createContext<HTMLElement | null>(null);

const Columns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', xl: 'minmax(484px, 1fr) minmax(0, 600px)' },
    columnGap: '8',
    rowGap: '6',
    alignItems: 'start',
  },
});

/** A form with room for its `PreviewPane` beside it. On narrow pages, the pane is part of the form. */
export function WithPreview({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <PreviewPlace value={place}>
      <Columns>
        <Box minWidth="0">{children}</Box>
        <Box
          ref={setPlace}
          as="aside"
          aria-label="Preview"
          display={{ base: 'none', xl: 'block' }}
          minWidth="0"
          position={{ xl: 'sticky' }}
          top="4"
        />
      </Columns>
    </PreviewPlace>
  );
}

/** Previews the input in the place that `WithPreview` provides; on narrow pages within the form, behind a button. */
export function PreviewPane(given: PreviewProps) {
  const { getValues, setError, clearErrors } = useFormContext();
  const refused = useRef<string[]>([]);
  const texts = JSON.stringify(given.content);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error of the texts before
  useEffect(() => clearErrors(refused.current.splice(0)), [texts]);
  const props: PreviewProps = {
    ...given,
    // At the fields of what was refused.
    onRefused({ fields }) {
      const known = Object.keys(getValues());
      Object.entries(fields).forEach(([part, [message]], index) => {
        const name = known.includes(part) ? part : 'value';
        if (!message) return;
        setError(name, { message }, { shouldFocus: index === 0 });
        refused.current.push(name);
      });
    },
  };
  const place = useContext(PreviewPlace);
  const isWide = useMedia(WIDE);
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
const WIDE = '(min-width: 80rem)';
