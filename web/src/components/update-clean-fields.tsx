import { useEffect } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';

/** Shows changes of other users in the fields of a form that have no unsaved input. */
export function UpdateCleanFields({ initial }: { initial: FieldValues }) {
  const { reset } = useFormContext();
  useEffect(() => {
    reset(initial, {
      keepDirtyValues: true,
      keepDirty: true,
      keepErrors: true,
      keepTouched: true,
      keepIsSubmitted: true,
      keepSubmitCount: true,
    });
  }, [initial, reset]);
  return null;
}
