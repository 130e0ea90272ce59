/* The part of YAML's scanner that tells plain scalars apart: is `12` a number, `yes` a truth value? PyPI's distribution of the
 * grammar lacks it. Here every plain scalar is a string: its kind makes no text more or less valid. */
#define SCH_STT_FRZ (-1)
#define HAS_TIMESTAMP 0

typedef enum { RS_STR, RS_NULL, RS_BOOL, RS_INT, RS_FLOAT } ResultSchema;

static int8_t adv_sch_stt(int8_t state, int32_t character, ResultSchema* result) {
  (void)state;
  (void)character;
  *result = RS_STR;
  return SCH_STT_FRZ;
}
