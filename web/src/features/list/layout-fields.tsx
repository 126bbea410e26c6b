import { Box, Flex, Text, Textarea } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useFormContext, useFormState, useWatch } from 'react-hook-form';
import { SLOTS } from '#shared/email/look.ts';
import { LAYOUT_EXAMPLES } from '#shared/layout-examples.ts';
import type { Layout } from '#shared/look.ts';
import { Button } from '#web/components/button.tsx';
import { Choices } from '#web/components/choices.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { Field } from '#web/components/field.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { messageOf, Problem } from '#web/lib/problem.ts';
import { applyTo, placed } from '#web/lib/text-edits.ts';
import { useDebounced } from '#web/lib/timers.ts';

/** The source of each kind is kept while the other one is tried. */
export type LayoutValues = { kind: 'standard' | Layout['kind']; html: string; mjml: string };
type Values = { layout: LayoutValues };

export type Checked = { layout?: Layout | undefined; faults: string[] };

const PAUSE = 500;
const CHOICES = { Standard: 'standard', HTML: 'html', MJML: 'mjml' } as const;

/** The layout for the preview: while the typed one has faults, the last one without. */
export function useCheckedLayout(stored: Layout | undefined): Checked {
  const { kind, ...sources } = useWatch<Values, 'layout'>({ name: 'layout' });
  const source = kind === 'standard' ? '' : sources[kind];
  const typed = useDebounced(source, PAUSE);
  const call = useOrganizationCall();
  const [checked, setChecked] = useState<Checked>({ layout: stored, faults: [] });
  useEffect(() => {
    // During the pause, `typed` is older than the source, or that of the other kind.
    if (kind === 'standard' || typed !== source) return;
    if (!source || (stored?.kind === kind && stored.source === source)) {
      return setChecked({ layout: source ? stored : undefined, faults: [] });
    }
    const left = new AbortController();
    const body = { kind, source };
    call('POST /api/layout-check', { body, signal: left.signal, isRefusalExpected: true })
      .then(layout => setChecked({ layout, faults: [] }))
      .catch(problem => {
        if (left.signal.aborted) return;
        const faults = (problem instanceof Problem && problem.fields.layout) || [messageOf(problem)];
        setChecked(before => ({ ...before, faults }));
      });
    return () => left.abort();
  }, [call, kind, source, typed, stored]);
  return kind === 'standard' ? { faults: [] } : checked;
}

/** The choice between the standard layout and one in HTML or MJML, with its source. */
export function LayoutFields({ checked }: { checked: Checked }) {
  const { setValue, register, clearErrors } = useFormContext<Values>();
  const { errors } = useFormState<Values>();
  const { kind, ...sources } = useWatch<Values, 'layout'>({ name: 'layout' });
  const field = useRef<HTMLTextAreaElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  const choose = (chosen: LayoutValues['kind']) => {
    clearErrors('layout');
    setValue('layout.kind', chosen, { shouldDirty: true });
  };
  const source = kind === 'standard' ? '' : sources[kind];
  const choices = (
    <Choices<LayoutValues['kind']>
      label="Layout"
      choices={CHOICES}
      value={kind}
      onChange={chosen => (chosen === 'standard' && source ? setLeaving(true) : choose(chosen))}
    />
  );
  if (kind === 'standard') return <Box mb="4">{choices}</Box>;
  const { ref, ...registered } = register(`layout.${kind}`, { onChange: () => clearErrors('layout') });
  const errorOfSave = (errors.layout as { message?: string } | undefined)?.message;
  const faults = checked.faults.length > 0 ? checked.faults : errorOfSave ? [errorOfSave] : [];
  return (
    <>
      {choices}
      <Text mt="2" mb="3" color="fg.muted" fontSize="sm" textWrap="pretty">
        Each part of an email goes where its name stands. The button, the color of links and the footer are
        those chosen below.
      </Text>
      <Flex role="group" aria-label="Insert" wrap="wrap" gap="1.5" mb="3">
        {SLOTS.map(slot => (
          <Button
            key={slot}
            fontFamily="mono"
            fontSize="xs"
            disabled={source.includes(`{{${slot}}}`)}
            onClick={() => field.current && applyTo(field.current, selected => placed(slot, false, selected))}
          >{`{{${slot}}}`}</Button>
        ))}
      </Flex>
      <Box css={{ '& [role=alert]': { whiteSpace: 'pre-line' } }}>
        <Field
          label={kind === 'html' ? 'HTML' : 'MJML'}
          error={faults.length > 0 ? faults.join('\n') : undefined}
          hint="Links are counted. Images need an address that begins with https://, or that of an image uploaded here."
          aside={
            !source && (
              <Button
                onClick={() => setValue(`layout.${kind}`, LAYOUT_EXAMPLES[kind], { shouldDirty: true })}
              >
                Begin with an example
              </Button>
            )
          }
        >
          <Textarea
            key={kind}
            {...registered}
            ref={element => {
              ref(element);
              field.current = element;
            }}
            rows={20}
            fontFamily="mono"
            fontSize="xs"
            whiteSpace="pre"
            overflow="auto"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
      </Box>
      {isLeaving && (
        <ConfirmDialog
          title="Back to standard"
          confirm="Back to standard"
          onConfirm={() => choose('standard')}
          onClose={() => setLeaving(false)}
        >
          Once you save, the layout that you have written is removed from this design. Emails that were sent
          keep it.
        </ConfirmDialog>
      )}
    </>
  );
}
