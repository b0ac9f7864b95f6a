assert b"coordinate_transformation_mode" not in file.getvalue()
