import { Box, chakra, Flex, Grid, Input, Text, VisuallyHidden } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useController, useFieldArray, useFormContext, useFormState, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { colorsOf, DEFAULT_LOOK, FONTS, PRESETS } from '#shared/email/look.ts';
import { LOGO_HEIGHTS, type Look, LookChange, MOST_LINKS, NewLook } from '#shared/look.ts';
import type { Action } from '#shared/permissions.ts';
import { Button, IconButton, TextLink } from '#web/components/button.tsx';
import { Choices } from '#web/components/choices.tsx';
import { Field, FieldGrid } from '#web/components/field.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { optionsOf } from '#web/components/select.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { type Checked, LayoutFields, type LayoutValues, useCheckedLayout } from './layout-fields.tsx';

const LookPreview = onDemand(
  () => import('#web/entities/email/look-preview.tsx'),
  <Loading minHeight="calc(min(640px, 55vh) + 120px)" shape={[32, 32, 400]} />,
);

type Props = {
  look: Look | null;
  /** The design that a list has without one of its own. Left out for that of the organization. */
  inherited?: Look | null;
  logo: string | null;
  /** What stands for the logo where images are not shown. */
  name: string;
  /** Where the logo is uploaded. */
  editList?: string;
  right: Action;
  save: (look: NewLook | null) => Promise<unknown>;
};

type Values = { own: boolean; look: Omit<Look, 'layout'> & { address: string }; layout: LayoutValues };
const { TextareaField, SelectField, NumberField, TextField } = fieldsOf<Values>();

const Shape = z.pipe(
  z.transform(({ own, look, layout: { kind, ...sources } }: Values): z.input<typeof LookChange> => {
    const layout = kind === 'standard' ? null : { kind, source: sources[kind] };
    return { look: own ? { ...look, layout } : null };
  }),
  LookChange,
);

/** A design beside an example of an email with it. */
export default function LookForm({ look, inherited, save, ...props }: Props) {
  const current: Look = look ?? inherited ?? DEFAULT_LOOK;
  const { layout, ...begun } = current;
  const sources = { html: '', mjml: '', ...(layout && { [layout.kind]: layout.source }) };
  return (
    <Form
      schema={Shape}
      initial={{
        own: look !== null,
        look: { ...begun, address: begun.address ?? '' },
        layout: { kind: layout?.kind ?? 'standard', ...sources },
      }}
      save={changed => save(changed.look)}
      onSaved={() => toast('Email design saved. The next emails have it.')}
      failure="Failed to save the email design"
      eager
    >
      <Editor {...props} inherited={inherited} layout={layout} />
    </Form>
  );
}

type EditorProps = Omit<Props, 'look' | 'save'> & { layout: Look['layout'] };

function Editor({ inherited, layout, ...props }: EditorProps) {
  const mayEdit = useMay()(props.right);
  const checked = useCheckedLayout(layout);
  return (
    <Grid
      // The preview is as wide as an email on a desktop, with its border.
      templateColumns={{ base: 'minmax(0, 602px)', xl: 'minmax(0, 420px) minmax(0, 602px)' }}
      columnGap="10"
      rowGap="6"
      alignItems="start"
    >
      <div>
        <Ownership inherited={inherited} disabled={!mayEdit} />
        <OwnFields {...props} disabled={!mayEdit} checked={checked} />
        {mayEdit && (
          <FormActions>
            <SubmitButton loadingText="Saving...">Save</SubmitButton>
          </FormActions>
        )}
      </div>
      <Box as="section" aria-label="Preview" position={{ xl: 'sticky' }} top="4" minWidth="0">
        <Preview inherited={inherited} logo={props.logo} name={props.name} layout={checked.layout} />
      </Box>
    </Grid>
  );
}

function Ownership({ inherited, disabled }: Pick<Props, 'inherited'> & { disabled: boolean }) {
  const { setValue, watch } = useFormContext<Values>();
  const may = useMay();
  const own = watch('own');
  const ofList = inherited !== undefined;
  const choices: Record<string, boolean> = ofList
    ? { 'The organization’s design': false, 'A design of its own': true }
    : { 'Plain emails': false, 'A design': true };
  const link = ofList && may('organization:edit') && (
    <TextLink to={paths.look()}>
      {inherited ? 'Change the organization’s design' : 'Design the emails of the organization'}
    </TextLink>
  );
  return (
    <>
      <Choices
        label="Which design"
        choices={choices}
        value={own}
        onChange={chosen => !disabled && setValue('own', chosen, { shouldDirty: true })}
      />
      <Text mt="2" mb="4" color="fg.muted" fontSize="sm" textWrap="pretty">
        {disabled
          ? 'You can look at this design, but not change it. '
          : own
            ? ofList
              ? 'For the emails of this list alone. '
              : 'For the emails of all lists without a design of their own. '
            : inherited
              ? 'Changes of that design apply to this list too. '
              : 'Emails are plain: without a logo, with a black button. '}
        {!own && link}
      </Text>
    </>
  );
}

const POSITIONS = { start: 'Left', center: 'Center', end: 'Right' };
const FONT_NAMES: Record<keyof typeof FONTS, string> = {
  system: 'That of the device',
  arial: 'Arial',
  verdana: 'Verdana',
  georgia: 'Georgia',
  palatino: 'Palatino',
};

type OwnProps = Pick<Props, 'logo' | 'editList'> & { disabled: boolean; checked: Checked };

function OwnFields({ logo, editList, disabled, checked }: OwnProps) {
  const { watch, trigger } = useFormContext<Values>();
  const [own, buttonText, logoAlign, kind] = watch([
    'own',
    'look.button_text',
    'look.logo_align',
    'layout.kind',
  ]);
  const isStandard = kind === 'standard';
  // Whether the color can be read depends on the other field too.
  useEffect(() => {
    if (own && buttonText) void trigger('look.accent');
  }, [own, buttonText, trigger]);
  if (!own) return null;
  return (
    <Fields disabled={disabled} aria-label="Design">
      <Group title="Layout">
        <LayoutFields checked={checked} />
      </Group>
      {isStandard && <Presets />}
      <Group title={isStandard ? 'Colors and font' : 'Colors'}>
        <AccentField hint={isStandard && 'Dark mode gets a lighter shade by itself.'} />
        <FieldGrid mt="2" templateColumns={TWO}>
          <SelectField
            name="look.button_text"
            label="Text of the button"
            options={optionsOf({ light: 'Light', dark: 'Dark' })}
          />
          {isStandard && <SelectField name="look.font" label="Font" options={optionsOf(FONT_NAMES)} />}
        </FieldGrid>
      </Group>
      <Group title={isStandard ? 'Frame, button and logo' : 'Button'}>
        <FieldGrid templateColumns={TWO}>
          {isStandard && (
            <SelectField
              name="look.frame"
              label="Frame"
              options={optionsOf({ card: 'A card on a gray page', plain: 'None' })}
            />
          )}
          <SelectField
            name="look.shape"
            label="Corners of the button"
            options={optionsOf({ square: 'Square', rounded: 'Rounded', pill: 'Round' })}
          />
          <SelectField name="look.button_align" label="Button" options={optionsOf(POSITIONS)} />
          {isStandard && (
            <SelectField
              name="look.logo_align"
              label="Logo"
              hint={logoAlign !== 'none' && !logo && <MissingLogo to={editList} />}
              options={optionsOf({ ...POSITIONS, none: 'Not shown' })}
            />
          )}
          {isStandard && logoAlign !== 'none' && (
            <NumberField
              name="look.logo_height"
              label="Height of the logo (pixels)"
              min={LOGO_HEIGHTS.least}
              whenEmpty={DEFAULT_LOOK.logo_height}
            />
          )}
        </FieldGrid>
      </Group>
      <Group title="Footer">
        <TextareaField
          name="look.address"
          label="Postal address"
          hint="Optional. Many countries require one in marketing emails."
          rows={3}
        />
        <LinkFields />
      </Group>
    </Fields>
  );
}

const Fields = chakra('fieldset', { base: { minWidth: '0', '& fieldset + fieldset': { mt: '5' } } });

const TWO = 'repeat(auto-fill, minmax(min(150px, 100%), 1fr))';

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box as="fieldset" minWidth="0">
    <Box as="legend" mb="2" fontWeight="semibold">
      {title}
    </Box>
    {children}
  </Box>
);

const MissingLogo = ({ to }: { to: string | undefined }) =>
  to ? (
    <>
      This list has no logo yet. <TextLink to={to}>Upload one</TextLink>
    </>
  ) : (
    'Each list shows its own logo.'
  );

const isHex = (text: string) => /^#[0-9a-f]{6}$/i.test(text);
const Swatch = chakra('input', {
  base: { width: '12', height: 'control', p: '1', borderWidth: '1px', borderRadius: 'md', cursor: 'pointer' },
});

function AccentField({ hint }: { hint: ReactNode }) {
  const { field, fieldState } = useController<Values, 'look.accent'>({ name: 'look.accent' });
  const { disabled: _, ...rest } = field;
  return (
    <Field label="Color of the button and of links" hint={hint} error={fieldState.error?.message}>
      <Flex gap="2">
        <Swatch
          type="color"
          aria-label="Pick a color"
          value={isHex(field.value) ? field.value : '#000000'}
          onChange={({ target }) => field.onChange(target.value)}
        />
        <Input {...rest} maxWidth="140px" autoComplete="off" autoCapitalize="off" spellCheck={false} />
      </Flex>
    </Field>
  );
}

type PresetName = keyof typeof PRESETS;

function Presets() {
  const { setValue } = useFormContext<Values>();
  const look = useWatch<Values, 'look'>({ name: 'look' });
  const has = (name: PresetName) => {
    const { label: _, ...preset } = PRESETS[name];
    return Object.entries(preset).every(([field, value]) => look[field as keyof typeof preset] === value);
  };
  function choose(name: PresetName) {
    const { label: _, ...preset } = PRESETS[name];
    for (const [field, value] of Object.entries(preset)) {
      setValue(`look.${field as keyof typeof preset}`, value, { shouldDirty: true, shouldValidate: true });
    }
  }
  return (
    <Grid role="group" aria-label="Begin with" templateColumns="repeat(3, minmax(0, 1fr))" gap="2" mb="5">
      {(Object.keys(PRESETS) as PresetName[]).map(name => (
        <Preset key={name} type="button" aria-pressed={has(name)} onClick={() => choose(name)}>
          <Picture look={{ ...look, ...PRESETS[name] }} />
          {PRESETS[name].label}
        </Preset>
      ))}
    </Grid>
  );
}

const Preset = chakra('button', {
  base: {
    display: 'grid',
    gap: '1.5',
    p: '1.5',
    borderWidth: '1px',
    borderRadius: 'md',
    fontSize: 'sm',
    _hover: { borderColor: 'border.emphasized' },
    _pressed: { borderColor: 'fg', boxShadow: 'inset 0 0 0 1px currentColor' },
    _disabled: { opacity: 0.5 },
    '& svg': { display: 'block', width: 'full', borderRadius: 'sm', borderWidth: '1px' },
  },
});

const CORNERS = { square: 0, rounded: 2.5, pill: 6 };

/** A small email with this design, in its light colors. */
function Picture({ look }: { look: Omit<Look, 'layout'> }) {
  const { page, button, buttonText } = colorsOf(isHex(look.accent) ? look : DEFAULT_LOOK).light;
  const at = (align: Look['logo_align'], width: number) =>
    align === 'center' ? 60 - width / 2 : align === 'end' ? 98 - width : 22;
  return (
    <svg viewBox="0 0 120 84" aria-hidden="true">
      <rect width="120" height="84" fill={page} />
      <rect x="12" y="8" width="96" height={look.frame === 'card' ? 58 : 60} rx="4" fill="#ffffff" />
      {look.logo_align !== 'none' && (
        <rect x={at(look.logo_align, 18)} y="14" width="18" height="8" rx="2" fill={button} />
      )}
      <text x="22" y="35" fontSize="8" fill="#292524" style={{ fontFamily: FONTS[look.font] }}>
        Hello Ada,
      </text>
      <rect x="22" y="39" width="70" height="2.5" fill="#d6d3d1" />
      <rect
        x={at(look.button_align, 34)}
        y="47"
        width="34"
        height="12"
        rx={CORNERS[look.shape]}
        fill={button}
      />
      <rect x={at(look.button_align, 34) + 8} y="52" width="18" height="2" fill={buttonText} />
      <rect x="22" y="72" width="44" height="2" fill="#d6d3d1" />
    </svg>
  );
}

function LinkFields() {
  const { errors } = useFormState<Values>();
  const { fields, append, remove } = useFieldArray<Values, 'look.links'>({ name: 'look.links' });
  const kept = useKeptFocus(frame => frame.querySelector<HTMLElement>('[data-adds]'));
  const error = errors.look?.links?.root?.message ?? errors.look?.links?.message;
  return (
    <Box mt="2" role="group" aria-label="Links" {...kept}>
      {fields.map(({ id }, at) => (
        <FieldGrid key={id} as="fieldset" templateColumns="minmax(0, 2fr) minmax(0, 3fr) auto" columnGap="2">
          <VisuallyHidden as="legend">{`Link ${at + 1}`}</VisuallyHidden>
          <TextField name={`look.links.${at}.label`} label="Link text" />
          <TextField name={`look.links.${at}.url`} label="Address" placeholder="https://" inputMode="url" />
          <Flex mt="6" alignItems="flex-start">
            <IconButton label={`Remove link ${at + 1}`} onClick={() => remove(at)}>
              <X aria-hidden />
            </IconButton>
          </Flex>
        </FieldGrid>
      ))}
      <Button
        data-adds
        disabled={fields.length >= MOST_LINKS}
        onClick={() => append({ label: '', url: 'https://' })}
      >
        Add a link
      </Button>
      <Box role="alert" minHeight="5" color="fg.error" fontSize="sm">
        {error}
      </Box>
    </Box>
  );
}

/** While something cannot be saved, the last design that can is shown. */
function Preview({
  inherited,
  logo,
  name,
  layout,
}: Pick<EditorProps, 'inherited' | 'logo' | 'name' | 'layout'>) {
  const { own, look } = useWatch<Values>() as Values;
  const { data: valid } = NewLook.safeParse(look);
  const [last, setLast] = useState<NewLook>(DEFAULT_LOOK);
  const shown = useMemo(() => ({ ...(valid ?? last), layout }), [valid, last, layout]);
  const key = JSON.stringify(valid);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the design
  useEffect(() => {
    if (valid) setLast(valid);
  }, [key]);
  return <LookPreview look={own ? shown : inherited} logo={logo} name={name} />;
}
