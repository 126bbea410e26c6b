/** The content of an email in a form, before anything is written. */
export const EMPTY_CONTENT = {
  subject_line: '',
  preheader: '',
  pre_cta_content: '',
  cta_text: '',
  cta_url: '',
  after_cta_content: '',
  footer: '',
};
