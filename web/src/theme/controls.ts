import {
  defineRecipe,
  defineSlotRecipe,
  type SlotRecipeDefinition,
  type SlotRecipeVariantRecord,
} from '@chakra-ui/react';

type Styles<Slot extends string, Variants extends SlotRecipeVariantRecord<Slot>> = Omit<
  SlotRecipeDefinition<Slot, Variants>,
  'slots'
>;

/** A recipe for the slots that `base` has styles for. Chakra's components do without styles for the others. */
export const slotRecipe = <Slot extends string, Variants extends SlotRecipeVariantRecord<Slot>>(
  styles: Styles<Slot, Variants>,
) => defineSlotRecipe<Slot, Variants>({ ...styles, slots: Object.keys(styles.base ?? {}) as Slot[] });

const button = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '1.5',
    height: 'control',
    px: '3',
    borderRadius: 'md',
    fontSize: 'sm',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    textDecoration: 'none',
    flexShrink: 0,
    colorPalette: 'gray',
    transition: 'background-color 120ms, color 120ms',
    _disabled: { opacity: 0.55, cursor: 'default' },
    _icon: { width: '4', height: '4' },
  },
  variants: {
    variant: {
      solid: {
        bg: 'colorPalette.solid',
        color: 'colorPalette.contrast',
        _hover: { bg: 'colorPalette.emphasized' },
      },
      outline: {
        bg: 'bg.panel',
        borderWidth: '1px',
        borderColor: 'border.emphasized',
        _hover: { bg: 'bg.subtle' },
      },
      ghost: {
        color: 'colorPalette.fg',
        px: '2',
        _hover: { bg: 'colorPalette.subtle' },
        '&[aria-haspopup][aria-expanded=true]': { bg: 'colorPalette.subtle' },
      },
    },
  },
  defaultVariants: { variant: 'outline' },
});

const field = {
  width: 'full',
  bg: 'bg.panel',
  borderWidth: '1px',
  borderColor: 'border.emphasized',
  borderRadius: 'md',
  fontSize: 'input',
  px: '2.5',
  _focusVisible: { outlineOffset: '-1px' },
  _invalid: { borderColor: 'border.error' },
  _disabled: { opacity: 0.6, cursor: 'not-allowed' },
  _readOnly: { bg: 'bg.subtle' },
} as const;

export const controls = {
  button,
  input: defineRecipe({ base: { ...field, height: 'control' } }),
  textarea: defineRecipe({ base: { ...field, py: '1.5', lineHeight: '20px', resize: 'vertical' } }),
};

export const slottedControls = {
  nativeSelect: slotRecipe({
    base: {
      root: { position: 'relative', minWidth: 0 },
      field: { ...field, height: 'control', pr: '7', appearance: 'none', textOverflow: 'ellipsis' },
      indicator: {
        position: 'absolute',
        insetEnd: '2',
        top: 0,
        height: 'full',
        display: 'flex',
        alignItems: 'center',
        color: 'fg.muted',
        pointerEvents: 'none',
        _icon: { width: '3.5', height: '3.5' },
      },
    },
  }),
  field: slotRecipe({
    base: {
      root: { width: 'full', '& + &': { mt: '4' } },
      label: {
        display: 'block',
        minWidth: 0,
        fontSize: 'sm',
        fontWeight: 'medium',
        overflowWrap: 'anywhere',
      },
      helperText: { pb: '1', fontSize: 'xs', color: 'fg.muted' },
      errorText: { fontSize: 'sm', color: 'fg.error' },
    },
  }),
  checkbox: slotRecipe({
    base: {
      root: {
        position: 'relative',
        display: 'flex',
        alignItems: 'flex-start',
        gap: '2',
        width: 'fit-content',
        fontSize: 'sm',
        lineHeight: '20px',
        cursor: 'pointer',
        _disabled: { cursor: 'default', color: 'fg.muted' },
        '@media (pointer: coarse)': { py: '12px' },
      },
      control: {
        display: 'grid',
        placeItems: 'center',
        flexShrink: 0,
        width: '4',
        height: '4',
        mt: '0.5',
        bg: 'bg.panel',
        color: 'action.ink',
        borderWidth: '1px',
        borderColor: 'border.emphasized',
        borderRadius: 'sm',
        _checked: { bg: 'action', borderColor: 'action' },
        _indeterminate: { bg: 'action', borderColor: 'action' },
        _invalid: { borderColor: 'border.error' },
        _disabled: { opacity: 0.6 },
        _focusVisible: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '2px' },
      },
      indicator: { width: '3', height: '3', strokeWidth: '3px', fill: 'none', stroke: 'currentcolor' },
    },
  }),
  fileUpload: slotRecipe({
    base: { dropzone: { borderRadius: 'lg', _dragging: { outline: '2px dashed', outlineColor: 'focus' } } },
  }),
};
