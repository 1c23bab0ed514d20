import type { ComponentProps } from 'react';
import styles from './Button.module.css';

interface Look {
  /** `text` has neither background nor border. */
  look?: 'filled' | 'outlined' | 'text';
  /** `large` is the main action of a sheet, `pill` one of a row of actions. */
  size?: 'normal' | 'large' | 'pill';
}

const classesOf = ({ look = 'text', size = 'normal' }: Look) =>
  [styles['button'], styles[look], styles[size]].filter((name) => name !== undefined).join(' ');

export function Button({ look, size, className = '', ...props }: ComponentProps<'button'> & Look) {
  const classes = `${classesOf({ ...(look && { look }), ...(size && { size }) })} ${className}`.trim();
  return <button type="button" {...props} className={classes} />;
}
