import { Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { ToneIcon } from '#web/components/notice.tsx';

const DURATION = 3000;

/** Whether the note that a form was saved is shown, which it is for a while. */
export function useSavedNote(duration = DURATION) {
  const [savedAt, setSavedAt] = useState<number>();

  useEffect(() => {
    if (savedAt === undefined) return;
    const timer = setTimeout(() => setSavedAt(undefined), duration);
    return () => clearTimeout(timer);
  }, [savedAt, duration]);

  return { isShown: savedAt !== undefined, show: () => setSavedAt(Date.now()) };
}

/** Hides the note after the next change of the form. */
export const SavedNote = ({ children }: { children: ReactNode }) =>
  !useFormState().isDirty && (
    <Flex gap="1.5" _icon={{ width: '4', height: '5' }}>
      <ToneIcon tone="success" />
      {children}
    </Flex>
  );
