export const PRODUCT = 'Letterflow';

export const pageTitle = (page: string) => `${page} - ${PRODUCT}`;
